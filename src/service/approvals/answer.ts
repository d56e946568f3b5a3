import { invalid, WireroomError } from "../../contract/errors.js";
import { MAX_EGRESS_TARGETS } from "../../contract/operations/egress.js";
import { decisionChanges } from "../../domain/approvals.js";
import { now } from "../../kernel/clock.js";
import { egressPolicy, saveEgress } from "../../store/accounts/egress.js";
import { approvalById, markFailed, type StoredApproval, settleApproval } from "../../store/approvals.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { recordAudit } from "../pipeline/audit.js";
import type { Context, Human } from "../pipeline/context.js";
import { preparedWrite, Stale } from "../pipeline/handler.js";
import { presentApprovals } from "../shared/present-approvals.js";
import { prepareRelease, release } from "./release.js";

/**
 * One transaction settles the approval and sends what was held: it is sent once, whoever else answers at the same moment
 * and wherever the daemon dies.
 */
export const answerApproval = preparedWrite("approvals.answer", {
  async prepare(ctx, input, stale) {
    if (input.status === "rejected" && input.remember) throw remembersRejection();
    if (input.status === "rejected") return undefined;
    const approval = await ownApproval(ctx, ctx.store.engine.reader, input.id, now());
    return approval.status === "pending" ? prepareRelease(ctx, approval, stale) : undefined;
  },

  async run(ctx, input, tx, draft) {
    const at = now();
    await lockParties(tx, await ownApproval(ctx, tx, input.id, at));
    const approval = await ownApproval(ctx, tx, input.id, at);
    if (decisionChanges(approval.status, input.status)) {
      if (!(await settleApproval(tx, approval.pk, input.status, at))) throw new Stale("answered meanwhile");
      if (input.remember) await allow(ctx, tx, approval);
      const error = input.status === "approved" ? await release(ctx, tx, approval, draft, at) : null;
      if (error) await markFailed(tx, approval.pk, error.envelope());
      recordAudit(ctx, tx, {
        account: approval.account,
        handle: approval.sender.pk,
        action: `approval.${input.status}`,
        subject: `approval:${approval.id}`,
        ...(error && { outcome: error.code }),
      });
    }
    const [answer] = await presentApprovals(tx, [await ownApproval(ctx, tx, input.id, at)], at);
    return answer!;
  },
});

/** Holds who sends and who receives, as posts hold them. */
async function lockParties(tx: Transaction, { sender, target }: StoredApproval): Promise<void> {
  const name = target.slice(1);
  await tx.lock("handles", "slug", target.startsWith("@") ? [sender.slug, name] : [sender.slug]);
  if (target.startsWith("#")) await tx.lock("spaces", "slug", [name]);
}

/** Throws 404, which does not tell the approvals of others from those that do not exist. */
async function ownApproval(
  ctx: Context<Human>,
  session: Session,
  id: string,
  at: number,
): Promise<StoredApproval> {
  const approval = await approvalById(session, id, at);
  if (approval?.account === ctx.caller.account.pk) return approval;
  throw new WireroomError("NOT_FOUND", "there is no approval of this id to you");
}

/** Puts the target on the handle's `allow`. */
async function allow(ctx: Context<Human>, tx: Transaction, approval: StoredApproval): Promise<void> {
  const { account, sender, target } = approval;
  const before = await egressPolicy(tx, sender.pk);
  if (before.allow.includes(target)) return;
  if (before.allow.length >= MAX_EGRESS_TARGETS) {
    throw badRemember(`\`allow\` holds ${MAX_EGRESS_TARGETS} targets already; take one off it first`);
  }
  await saveEgress(tx, sender.pk, { allow: [...before.allow, target] });
  const subject = `@${sender.slug}`;
  recordAudit(ctx, tx, { account, handle: sender.pk, action: "egress.changed", subject });
}

function remembersRejection() {
  return badRemember("only an approval is remembered; to forbid a target for good, put it on `deny`");
}

function badRemember(message: string) {
  return invalid({ instancePath: "/remember", keyword: "remember", message });
}
