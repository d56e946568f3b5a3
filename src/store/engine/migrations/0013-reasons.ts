/** The reasons that operators give (docs/specification/dashboard-operations.md#operators). */
export const reasons = {
  id: 13,
  name: "reasons",
  sql: ["ALTER TABLE audit ADD COLUMN reason TEXT"],
};
