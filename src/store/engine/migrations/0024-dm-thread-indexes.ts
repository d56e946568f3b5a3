/**
 * What one handle sees of a thread of direct messages, so that a read does not scan the messages between
 * others. The first wire of a thread needs no entry, because its primary key is the thread.
 */
const REPLY = "WHERE recipient IS NOT NULL AND reply_to IS NOT NULL";

export const dmThreadIndexes = {
  id: 24,
  name: "dm-thread-indexes",
  sql: [
    `CREATE INDEX wires_sent_in_thread ON wires (thread, sender, pk) ${REPLY}`,
    `CREATE INDEX wires_received_in_thread ON wires (thread, recipient, pk) ${REPLY}`,
    // Threads of spaces alone still need the former index. On PostgreSQL, daemons of the previous version use
    // it until they have stopped.
    {
      sqlite: "CREATE INDEX wires_in_space_thread ON wires (thread, pk) WHERE space IS NOT NULL",
      postgres: "SELECT 1",
    },
    { sqlite: "DROP INDEX wires_by_thread", postgres: "SELECT 1" },
  ],
};
