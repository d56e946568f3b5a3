/** Whether a handle may publish (docs/specification/dashboard-operations.md#egress-policies). */
export const publish = {
  id: 23,
  name: "publish",
  sql: [
    // 0 or 1. A handle without a row may publish.
    "ALTER TABLE egress_policies ADD COLUMN publish INTEGER NOT NULL DEFAULT 1",
  ],
};
