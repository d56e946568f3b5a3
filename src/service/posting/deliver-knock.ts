/** Sends knocks, either at once or after a human's approval. */
import { decideKnock } from "../../domain/knocks.js";
import { egressFacts } from "../../store/accounts/egress.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { appendToInbox } from "../../store/inbox/inbox.js";
import { insertKnock, latestKnock } from "../../store/knocks.js";
import { isBlocked, isContact } from "../../store/relations.js";
import { handleByName } from "../access/handles.js";
import type { Sender } from "../pipeline/caller.js";

/**
 * Loads a knock's target and decides whether to send the knock or hold it for approval. Also returns
 * `pending`, the sender's earlier unanswered knock. Throws if the knock is refused.
 * @param name the target's slug, with or without `@`
 */
export async function loadAndDecideKnock(tx: Transaction, sender: Sender, name: string, at: number) {
  const target = await handleByName(tx, name);
  const { slug } = target.resource;
  const latest = await latestKnock(tx, sender.pk, target.pk, at);
  const facts = {
    isSelf: target.pk === sender.pk,
    isContact: target.account === sender.account.pk || (await isContact(tx, sender.pk, target.pk)),
    hasBlocked: await isBlocked(tx, target.pk, { pk: sender.pk, account: sender.account.pk }),
    isHuman: sender.isHuman,
    latest: latest && { status: latest.resource.status, decidedAt: latest.decidedAt },
    egress: await egressFacts(tx, sender.pk, `@${slug}`),
  };
  const egressDecision = decideKnock(slug, facts, at);
  const pending = latest?.resource.status === "pending" ? latest.resource : undefined;
  return { target, egressDecision, pending };
}

export async function deliverKnock(
  tx: Transaction,
  knock: { id: string; sender: Sender; target: StoredHandle; intro: string; at: number },
): Promise<void> {
  const { id, sender, target, intro, at } = knock;
  const pk = await insertKnock(tx, { id, sender: sender.pk, target: target.pk, intro, createdAt: at });
  await appendToInbox(tx, target.pk, "knock", pk);
}
