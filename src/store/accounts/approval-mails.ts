/**
 * Finds the humans who get a mail about approvals: those who have switched these mails on, have new approvals
 * and are not suspended (docs/specification/dashboard-operations.md#mails-about-approvals).
 */
import { HOUR } from "../../kernel/clock.js";
import { APPROVAL_LIFETIME_MS } from "../approvals/approvals.js";
import type { Engine } from "../engine/engine.js";
import { APPROVALS, queueNotice } from "./identity-requests.js";

const PENDING = "FROM approvals p WHERE p.account = a.pk AND p.status = 'pending' AND p.created_at > ?";
const WANTS_MAILS = "a.approval_mails = 1 AND a.suspended_at IS NULL";
/**
 * At most one mail an hour. Ignores a last mail in the future, which was stored before the clock was set
 * back.
 */
const IS_DUE = `${WANTS_MAILS} AND a.approvals_mailed_at NOT BETWEEN ? AND ?
  AND EXISTS (SELECT 1 ${PENDING} AND p.pk > a.last_mailed_approval)`;

const dueParams = (now: number) => [now - HOUR, now, now - APPROVAL_LIFETIME_MS];

export function approvalMails(engine: Engine) {
  return {
    /** Queues the mails that are due. If several daemons do so at the same time, each mail is queued once. */
    async queueApprovalMails(now: number): Promise<void> {
      const due = await engine.reader.all<{ pk: number }>(
        `SELECT a.pk FROM accounts a WHERE ${IS_DUE} LIMIT 100`,
        dueParams(now),
      );
      for (const { pk } of due) {
        await engine.write(async (tx) => {
          await tx.lock("accounts", "pk", [pk]);
          const account = await tx.get<{ id: string; email: string }>(
            `SELECT a.id, a.email FROM accounts a WHERE a.pk = ? AND ${IS_DUE}`,
            [pk, ...dueParams(now)],
          );
          if (!account) return;
          await tx.run(
            `UPDATE accounts SET approvals_mailed_at = ?,
               last_mailed_approval = (SELECT max(p.pk) FROM approvals p WHERE p.account = accounts.pk)
             WHERE pk = ?`,
            [now, pk],
          );
          await queueNotice(tx, APPROVALS, account.email, now, account.id);
        });
      }
    },

    /** Returns 0 if the human has turned these mails off, or was suspended, since the mail was queued. */
    async approvalsToMail(account: string, now: number): Promise<number> {
      const row = await engine.reader.get<{ count: number }>(
        `SELECT (SELECT count(*) ${PENDING}) AS count FROM accounts a WHERE a.id = ? AND ${WANTS_MAILS}`,
        [now - APPROVAL_LIFETIME_MS, account],
      );
      return row?.count ?? 0;
    },
  };
}
