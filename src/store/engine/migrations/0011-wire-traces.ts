/** Stores the trace context that a wire's sender provided (docs/observability.md#traces). */
export const wireTraces = {
  id: 11,
  name: "wire-traces",
  sql: [
    // Contains only wires that were sent in a sampled trace to a daemon that exports traces. `id` is the
    // wire's id.
    `CREATE TABLE wire_traces (
      id TEXT PRIMARY KEY,
      traceparent TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX wire_traces_age ON wire_traces (created_at)",
  ],
};
