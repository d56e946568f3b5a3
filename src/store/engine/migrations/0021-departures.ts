/** Handles that have left spaces, and retired handles whose rows are not erased yet. */
export const departures = {
  id: 21,
  name: "departures",
  sql: [
    // A handle that left a space by its own choice and has not become a member again
    // (docs/specification/knocks.md#members-of-spaces).
    `CREATE TABLE departures (
      handle INTEGER NOT NULL REFERENCES handles (pk),
      space INTEGER NOT NULL REFERENCES spaces (pk),
      left_at INTEGER NOT NULL,
      PRIMARY KEY (handle, space)
    ) STRICT, WITHOUT ROWID`,
    // A retired handle whose memberships, contacts and other rows are not erased yet. `accounts/erasure.ts`
    // erases these rows in small steps.
    "CREATE TABLE erasures (handle INTEGER PRIMARY KEY REFERENCES handles (pk)) STRICT",
  ],
};
