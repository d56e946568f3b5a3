import { DAY, HOUR, MINUTE, SECOND } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import type { Engine, Transaction } from "../engine/engine.js";
import { CODE_TTL_MS, DELETED } from "./identity-requests.js";

/**
 * The queue of mails to humans. Each mail belongs to a row of `identity_requests`, and waits there until `mail_due_at`. Mails
 * to one address are spaced out by source, and the sources take turns (docs/specification/identity.md#mails).
 */
export function identityMails(engine: Engine) {
  return {
    /** Returns addresses with mails that are due. */
    async dueAddresses(now: number): Promise<string[]> {
      const rows = await engine.reader.all<{ email: string }>(
        `SELECT DISTINCT email FROM identity_requests WHERE mail_due_at <= ? OR mail_due_at > ? LIMIT 100`,
        dueParams(now),
      );
      return rows.map(({ email }) => email);
    },

    /**
     * Takes the next mail to an address from the queue, and stores the hash of its code. Returns undefined if no mail may be
     * sent now. The mail is due again after some minutes, unless `finishMail` is called.
     */
    takeMail({ email, codeHash, now }: TakeInput): Promise<TakenMail | undefined> {
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", [`mail:${email}`]);
        const row = await nextMail(tx, email, now);
        if (!row) return undefined;
        const leaseUntil = now + LEASE_MS;
        await tx.run(
          `UPDATE identity_requests SET mail_due_at = ?, code_hash = ?, code_expires_at = ?, tries = 0, other_tries = 0
           WHERE id = ?`,
          [leaseUntil, codeHash(row.id), now + CODE_TTL_MS, row.id],
        );
        // The other mails of the source wait for its next turn.
        await tx.run(
          "UPDATE identity_requests SET waits_since = ? WHERE email = ? AND source = ? AND mail_due_at IS NOT NULL",
          [now, email, row.source],
        );
        await tx.run("INSERT INTO identity_sent_mails (id, email, source, sent_at) VALUES (?, ?, ?, ?)", [
          newId(),
          email,
          row.source,
          now,
        ]);
        const user = await tx.get("SELECT id FROM identity_users WHERE email = ?", [email]);
        return { id: row.id, purpose: row.purpose, hasAccount: user !== undefined, leaseUntil };
      }, `mail:${email}`);
    },

    /** Removes a mail from the queue after it was sent, or was refused for good. The last one of a deleted account leaves no trace. */
    async finishMail({ id, purpose, leaseUntil }: Omit<TakenMail, "hasAccount">): Promise<void> {
      await engine.write(async (tx) => {
        const mail = "id = ? AND mail_due_at = ?";
        const params = [id, leaseUntil];
        if (purpose !== DELETED) {
          await tx.run(`UPDATE identity_requests SET mail_due_at = NULL WHERE ${mail}`, params);
          return;
        }
        await tx.run(
          `DELETE FROM identity_sent_mails WHERE source = '' AND email IN (SELECT email FROM identity_requests WHERE ${mail})`,
          params,
        );
        await tx.run(`DELETE FROM identity_requests WHERE ${mail}`, params);
      });
    },
  };
}

/** The first mail of a source to an address is sent at once, and the n-th after it at least 30 s × 2^n after the one before. */
const SPACING_MS = 30 * SECOND;
const MAX_SPACING_MS = HOUR;
const MAILS_PER_ADDRESS_AND_HOUR = 20;
const MAILS_PER_SOURCE_AND_HOUR = 500;
/** Time that the mail server has for a mail. After that, the mail is sent again. */
const LEASE_MS = 2 * MINUTE;

interface TakeInput {
  email: string;
  /** Returns the hash of the new code for a request. */
  codeHash: (requestId: string) => string;
  now: number;
}

interface TakenMail {
  id: string;
  purpose: string;
  /** Whether the address has an account. */
  hasAccount: boolean;
  leaseUntil: number;
}

/** Parameters of `mail_due_at <= ? OR mail_due_at > ?`. A later time than any spacing comes from a clock that was ahead. */
function dueParams(now: number): [number, number] {
  return [now, now + 2 * MAX_SPACING_MS];
}

async function nextMail(
  tx: Transaction,
  email: string,
  now: number,
): Promise<{ id: string; purpose: string; source: string } | undefined> {
  const due = "email = ? AND (mail_due_at <= ? OR mail_due_at > ?)";
  const dueMail = [email, ...dueParams(now)];
  // The source that has sent the fewest mails in the last hour comes first, then the one that has waited for the longest time, so that
  // no source can keep others waiting.
  const sources = await tx.all<{ source: string; sent: number }>(
    `SELECT source, (SELECT COUNT(*) FROM identity_sent_mails m
         WHERE m.email = ? AND m.source = r.source AND m.sent_at > ? AND m.sent_at <= ?) AS sent
       FROM identity_requests r WHERE ${due} GROUP BY source
       ORDER BY sent, MIN(COALESCE(waits_since, created_at)) LIMIT 100`,
    [email, now - HOUR, now, ...dueMail],
  );
  for (const { source } of sources) {
    const waitMs = await waitTimeMs(tx, email, source, now);
    if (waitMs === 0) {
      return tx.get(
        `SELECT id, purpose, source FROM identity_requests WHERE ${due} AND source = ?
         ORDER BY mail_due_at, id LIMIT 1`,
        [...dueMail, source],
      );
    }
    await tx.run(`UPDATE identity_requests SET mail_due_at = ? WHERE ${due} AND source = ?`, [
      now + waitMs,
      ...dueMail,
      source,
    ]);
  }
  return undefined;
}

/** Returns the milliseconds until a source may send a mail to an address. Notices of the service itself have no source. */
async function waitTimeMs(tx: Transaction, email: string, source: string, now: number): Promise<number> {
  if (source === "") return 0;
  const own = await tx.get<{ count: number; last: number | null }>(
    `SELECT COUNT(*) AS count, MAX(sent_at) AS last FROM identity_sent_mails
     WHERE email = ? AND source = ? AND sent_at > ? AND sent_at <= ?`,
    [email, source, now - DAY, now],
  );
  const spacing = Math.min(SPACING_MS * 2 ** own!.count, MAX_SPACING_MS);
  const waits = [own!.last === null ? 0 : own!.last + spacing - now];
  for (const [column, value, limit] of [
    ["email", email, MAILS_PER_ADDRESS_AND_HOUR],
    ["source", source, MAILS_PER_SOURCE_AND_HOUR],
  ] as const) {
    const freeing = await tx.get<{ sent_at: number }>(
      `SELECT sent_at FROM identity_sent_mails WHERE ${column} = ? AND sent_at > ? AND sent_at <= ?
       ORDER BY sent_at DESC LIMIT 1 OFFSET ?`,
      [value, now - HOUR, now, limit - 1],
    );
    if (freeing) waits.push(freeing.sent_at + HOUR - now);
  }
  return Math.max(0, ...waits);
}
