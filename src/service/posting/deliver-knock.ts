/** A knock on its way to its target, at once or after a human's approval. */
import { judgeKnock } from "../../domain/knocks.js";
import { egressTowards } from "../../store/accounts/egress.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { appendToInbox } from "../../store/inbox/inbox.js";
import { insertKnock, latestKnock } from "../../store/knocks.js";
import { isRelated } from "../../store/relations.js";
import type { Sender } from "../pipeline/context.js";
import { namedHandle } from "../shared/named-handle.js";

/**
 * The target, the knock that waits for its answer already, and whether a new one is sent or held. Throws what refuses it.
 * @param name of the target, its `@` optional
 */
export async function judgedKnock(tx: Transaction, sender: Sender, name: string, at: number) {
  const target = await namedHandle(tx, name);
  const { slug } = target.resource;
  const latest = await latestKnock(tx, sender.pk, target.pk, at);
  const situation = {
    isSelf: target.pk === sender.pk,
    isContact:
      target.account === sender.account.pk || (await isRelated(tx, "contacts", sender.pk, target.pk)),
    hasBlocked: await isRelated(tx, "blocks", target.pk, sender.pk),
    latest: latest && { status: latest.resource.status, decidedAt: latest.decidedAt },
    egress: await egressTowards(tx, sender.pk, `@${slug}`),
  };
  const passage = judgeKnock(slug, situation, at);
  const pending = latest?.resource.status === "pending" ? latest.resource : undefined;
  return { target, passage, pending };
}

/** Stores a knock and puts it into its target's inbox. */
export async function deliverKnock(
  tx: Transaction,
  knock: { id: string; sender: Sender; target: StoredHandle; intro: string; at: number },
): Promise<void> {
  const { id, sender, target, intro, at } = knock;
  const pk = await insertKnock(tx, { id, sender: sender.pk, target: target.pk, intro, createdAt: at });
  await appendToInbox(tx, target.pk, "knock", pk);
}
