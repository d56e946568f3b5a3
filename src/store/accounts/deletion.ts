/**
 * Deletes the data that is stored about the human of an account
 * (docs/specification/dashboard-operations.md#deleting-the-account).
 */
import type { Transaction } from "../engine/engine.js";
import { deleteUser } from "./identity-requests.js";

/**
 * Deletes the sign-ins of a human, and the responses that were stored for the human's idempotency keys. With
 * the embedded provider, also deletes the human. `erasure.ts` deletes the rows of the human's handles:
 * connections, approvals of unsent items, and stored responses. Returns whether the embedded provider had
 * this human.
 */
export async function forgetHuman(
  tx: Transaction,
  { pk, id, human, at }: { pk: number; id: string; human: string; at: number },
): Promise<boolean> {
  const isEmbedded = await deleteUser(tx, human, at);
  const grants = "SELECT grant_id FROM sign_ins WHERE human = ?";
  await tx.run(`DELETE FROM identity_records WHERE grant_id IN (${grants})`, [human]);
  await tx.run(`DELETE FROM identity_records WHERE model = 'Grant' AND id IN (${grants})`, [human]);
  await tx.run("DELETE FROM identity_records WHERE human = ?", [human]);
  await tx.run("DELETE FROM sign_ins WHERE human = ?", [human]);
  await tx.run("DELETE FROM idempotency WHERE caller = ?", [id]);
  tx.publish({ topic: "approvals", account: pk });
  return isEmbedded;
}
