/** The oldest registered client without a connection gives way to a new one (docs/specification/identity.md#applications). */
export const connectionsByClient = {
  id: 18,
  name: "connections-by-client",
  sql: ["CREATE INDEX connections_by_client ON connections (client_id) WHERE ended_at IS NULL"],
};
