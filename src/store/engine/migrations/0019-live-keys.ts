/** Index for handle limits: counts the keys that are not revoked. */
export const liveKeys = {
  id: 19,
  name: "live-keys",
  sql: ["CREATE INDEX api_keys_live ON api_keys (handle, expires_at) WHERE revoked_at IS NULL"],
};
