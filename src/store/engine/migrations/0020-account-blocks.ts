/** A block applies to all handles of the blocked handle's account (docs/specification/knocks.md#blocks). */
export const accountBlocks = {
  id: 20,
  name: "account-blocks",
  sql: [
    // The account of `other`. Null in a row of an earlier version, and if both handles belong to the same
    // account, because such a block applies to `other` alone.
    "ALTER TABLE blocks ADD COLUMN account INTEGER",
    `UPDATE blocks SET account = (SELECT o.account FROM handles o WHERE o.pk = blocks.other)
      WHERE (SELECT o.account FROM handles o WHERE o.pk = blocks.other) <> (SELECT h.account FROM handles h WHERE h.pk = blocks.handle)`,
    "CREATE INDEX blocks_by_account ON blocks (handle, account) WHERE account IS NOT NULL",
  ],
};
