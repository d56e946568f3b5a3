/** Retires handles, which is permanent (docs/specification/dashboard-operations.md#retiring-a-handle). */
import type { Transaction } from "../engine/engine.js";
import { numberedIntegers } from "../engine/sql.js";
import { type HandleSettings, ofHandles, settingValues } from "./handles.js";

const RETIRE = ofHandles(
  (
    handles,
  ) => `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?,
    retired_at = ?, operator_at = NULL WHERE pk IN ${handles}`,
);

/**
 * Retires handles: replaces their profiles with `emptySettings`, and ends their keys and access tokens, because the handle of each is looked up
 * with it. `erasure.ts` erases their other rows. Their wires and schemas are kept.
 */
export async function retireHandles(
  tx: Transaction,
  handles: readonly number[],
  emptySettings: HandleSettings,
  at: number,
): Promise<void> {
  await tx.run(RETIRE, [...settingValues(emptySettings), at, numberedIntegers(handles)]);
}
