/**
 * Indexes of the direct messages that one handle sees in a thread, so that a read does not scan messages
 * between other handles. Root wires are left out, because a root wire's primary key is the thread itself.
 */
const REPLY = "WHERE recipient IS NOT NULL AND reply_to IS NOT NULL";

export const dmThreadIndexes = {
  id: 24,
  name: "dm-thread-indexes",
  sql: [
    `CREATE INDEX wires_sent_in_thread ON wires (thread, sender, pk) ${REPLY}`,
    `CREATE INDEX wires_received_in_thread ON wires (thread, recipient, pk) ${REPLY}`,
    // On SQLite, a smaller index for space threads replaces wires_by_thread. On PostgreSQL, the old index
    // stays, because daemons of the previous version use it until they stop.
    {
      sqlite: "CREATE INDEX wires_in_space_thread ON wires (thread, pk) WHERE space IS NOT NULL",
      postgres: "SELECT 1",
    },
    { sqlite: "DROP INDEX wires_by_thread", postgres: "SELECT 1" },
  ],
};
