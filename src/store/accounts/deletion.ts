/** Deletes what is stored about the human of an account (docs/specification/dashboard-operations.md#deleting-the-account). */
import type { Session, Transaction } from "../engine/engine.js";
import { storeMark } from "../retention/deleted-wires.js";
import { deleteUser } from "./identity-requests.js";

/** Returns the handles of an account that are not retired. */
export async function handlesToRetire(
  session: Session,
  account: number,
): Promise<{ pk: number; slug: string; isListed: boolean }[]> {
  const rows = await session.all<{ pk: number; slug: string; discoverable: number }>(
    "SELECT pk, slug, discoverable FROM handles WHERE account = ? AND retired_at IS NULL ORDER BY pk",
    [account],
  );
  return rows.map(({ pk, slug, discoverable }) => ({ pk, slug, isListed: discoverable === 1 }));
}

/**
 * Deletes what an account kept that no other account needs: its sign-ins and those of its applications, its approvals of wires and knocks
 * that were not sent, and the responses that were stored for idempotency keys. Approvals of wires that were sent stay with the wires: they
 * have no text, and say when the wires were sent. With the embedded provider, the human is also deleted.
 * Returns whether the human was one of the embedded provider.
 */
export async function forgetAccount(
  tx: Transaction,
  { pk, id, human, at }: { pk: number; id: string; human: string; at: number },
): Promise<boolean> {
  const isEmbedded = await deleteUser(tx, human, at);
  const ofApplications =
    "SELECT c.grant_id FROM connections c JOIN handles h ON h.pk = c.handle WHERE h.account = ?";
  const ofSignIns = "SELECT grant_id FROM sign_ins WHERE human = ?";
  for (const [grants, param] of [
    [ofApplications, pk],
    [ofSignIns, human],
  ] as const) {
    await tx.run(`DELETE FROM identity_records WHERE grant_id IN (${grants})`, [param]);
    await tx.run(`DELETE FROM identity_records WHERE model = 'Grant' AND id IN (${grants})`, [param]);
  }
  await tx.run("DELETE FROM identity_records WHERE human = ?", [human]);
  await tx.run("DELETE FROM sign_ins WHERE human = ?", [human]);
  const unsent = "approvals WHERE account = ? AND doc IS NOT NULL";
  const newest = await tx.get<{ pk: number | null }>(`SELECT max(pk) AS pk FROM ${unsent}`, [pk]);
  await tx.run(`DELETE FROM ${unsent}`, [pk]);
  if (newest!.pk !== null) await tx.run(storeMark("approvals", "CAST(? AS bigint)"), [newest!.pk]);
  await tx.run("DELETE FROM idempotency WHERE caller = ?", [id]);
  await tx.run("DELETE FROM idempotency WHERE caller IN (SELECT id FROM handles WHERE account = ?)", [pk]);
  tx.publish({ topic: "approvals", account: pk });
  return isEmbedded;
}
