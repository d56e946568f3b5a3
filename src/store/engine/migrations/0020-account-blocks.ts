/** Blocks hold for the account of the blocked handle (docs/specification/knocks.md#blocks). */
export const accountBlocks = {
  id: 20,
  name: "account-blocks",
  sql: [
    // The account of `other`. Null if it is also the account of `handle`, because such a block holds for
    // `other` alone, and in a row of an earlier version.
    "ALTER TABLE blocks ADD COLUMN account INTEGER",
    `UPDATE blocks SET account = (SELECT o.account FROM handles o WHERE o.pk = blocks.other)
      WHERE (SELECT o.account FROM handles o WHERE o.pk = blocks.other) <> (SELECT h.account FROM handles h WHERE h.pk = blocks.handle)`,
    "CREATE INDEX blocks_by_account ON blocks (handle, account) WHERE account IS NOT NULL",
  ],
};
