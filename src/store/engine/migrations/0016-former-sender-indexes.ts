/** Drops the indexes that `0015-sender-index.ts` replaces. */
export const formerSenderIndexes = {
  id: 16,
  name: "former-sender-indexes",
  sql: ["DROP INDEX IF EXISTS wires_by_sender", "DROP INDEX IF EXISTS wires_sent"],
};
