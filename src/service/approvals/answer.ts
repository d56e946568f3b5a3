/** Approves or rejects a held wire or knock, and tells its handle (PUT /approvals/{id}). */
import { invalid } from "../../contract/errors.js";
import { MAX_EGRESS_TARGETS } from "../../contract/operations/egress.js";
import type { Wire } from "../../contract/shapes.js";
import { answerChanges } from "../../domain/approvals.js";
import { now } from "../../kernel/clock.js";
import { egressPolicy, updateEgressPolicy } from "../../store/accounts/egress.js";
import { markFailed, resolveApproval, type StoredApproval } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import { appendNoticeToInbox } from "../../store/inbox/inbox.js";
import { lockHandlesAndSenders } from "../../store/posting/notified.js";
import { settleHeldReply } from "../../store/wires/claims.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { StalePreparation } from "../pipeline/call.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite } from "../pipeline/handler.js";
import { presentApprovals } from "../reading/present-approvals.js";
import { noSuchApproval, ownApproval } from "./get.js";
import { prepareRelease, release } from "./release.js";

/**
 * PUT /approvals/{id}. One transaction stores the decision and sends the held wire or knock, so the item is
 * sent exactly once despite concurrent answers and crashes.
 */
export const answerApproval = preparedWrite("approvals.answer", {
  async prepare(ctx, input, stale) {
    if (input.status === "rejected" && input.remember) throw remembersRejection();
    if (input.status === "rejected") return undefined;
    const approval = await ownApproval(ctx, ctx.store.engine.reader, input.id, now());
    return approval.status === "pending" ? prepareRelease(ctx, approval, stale) : undefined;
  },

  async run(ctx, input, tx, post) {
    const at = now();
    await lockParties(tx, await ownApproval(ctx, tx, input.id, at));
    const approval = await ownApproval(ctx, tx, input.id, at);
    const isDecided = answerChanges("approval", approval.status, input.status);
    if (isDecided) {
      if (!(await resolveApproval(tx, approval, input.status, at, input.note)))
        throw new StalePreparation("answered meanwhile");
      if (input.remember) await allowTarget(ctx, tx, approval);
      const error = input.status === "approved" ? await release(ctx, tx, approval, post, at) : null;
      if (error) await markFailed(tx, approval.pk, error.envelope());
      await appendNoticeToInbox(tx, approval.sender.pk, "approval", approval.pk);
      await settleHeldReply(tx, approval.ref, input.status === "approved" && !error);
      logAuditEvents(ctx, tx, {
        account: approval.account,
        handle: approval.sender.pk,
        action: `approval.${input.status}`,
        subject: `approval:${approval.id}`,
        detail: `to ${approval.target}`,
        ...(error && { outcome: error.code }),
      });
    }
    const decided = await ownApproval(ctx, tx, input.id, at);
    const [answer] = await presentApprovals(ctx, tx, [decided], at, isDecided);
    if (!answer) throw noSuchApproval();
    return answer;
  },
});

/** Locks the sender's and target's rows in the same order as a post, to avoid deadlocks. */
async function lockParties(tx: Transaction, { sender, target, kind, doc }: StoredApproval): Promise<void> {
  const name = target.slice(1);
  if (target.startsWith("@")) return tx.lock("handles", "slug", [sender.slug, name]);
  const { mentions = [], reply_to }: Partial<Wire> = kind === "wire" && doc !== null ? JSON.parse(doc) : {};
  await lockHandlesAndSenders(tx, [sender.slug, ...mentions], reply_to ? [reply_to] : []);
  await tx.lock("spaces", "slug", [name]);
}

async function allowTarget(ctx: Context<Human>, tx: Transaction, approval: StoredApproval): Promise<void> {
  const { account, sender, target } = approval;
  const before = await egressPolicy(tx, sender.pk);
  if (before.allow.includes(target)) return;
  if (before.allow.length >= MAX_EGRESS_TARGETS) {
    throw badRemember(`\`allow\` already has ${MAX_EGRESS_TARGETS} targets; remove one first`);
  }
  await updateEgressPolicy(tx, sender.pk, { allow: [...before.allow, target] });
  const change = { subject: `@${sender.slug}`, detail: `allow: +${target}` };
  logAuditEvents(ctx, tx, { account, handle: sender.pk, action: "egress.changed", ...change });
}

function remembersRejection() {
  return badRemember("`remember` applies to approvals only; to block a target permanently, add it to `deny`");
}

function badRemember(message: string) {
  return invalid({ instancePath: "/remember", keyword: "remember", message });
}
