/** Drops the view of migration 6 and its triggers: posts are stored by plain inserts. */
export const noNewWires = {
  id: 7,
  name: "no-new-wires",
  sql: [{ sqlite: "DROP VIEW new_wires", postgres: "SELECT 1" }],
};
