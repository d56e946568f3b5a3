/**
 * The queue of mails to humans. Each mail belongs to a row of `identity_requests`, and waits until the row's
 * `mail_due_at`. If one source requests several mails to one address, they are sent at growing intervals.
 * Different networks take turns (docs/specification/identity.md#mails).
 *
 * A row is due, leased by the daemon that sends its mail, or finished (`mail_due_at` is null). `takeMail`
 * leases a row and stores its new code, and `finishMail` finishes the row. If the lease expires first, the
 * row is due again.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { networksOf } from "../../kernel/networks.js";
import type { Engine, Session, Transaction } from "../engine/engine.js";
import { CODE_TTL_MS, DELETED } from "./identity-requests.js";
import { shortCodesWaitMs } from "./identity-throttles.js";

export function identityMails(engine: Engine) {
  return {
    async dueAddresses(now: number): Promise<string[]> {
      const rows = await engine.reader.all<{ email: string }>(
        `SELECT DISTINCT email FROM identity_requests WHERE mail_due_at <= ? OR mail_due_at > ? LIMIT 100`,
        dueParams(now),
      );
      return rows.map(({ email }) => email);
    },

    /**
     * Takes the next mail to an address from the queue, and stores the hash of its code. Returns undefined if
     * no mail may be sent now.
     */
    takeMail({ email, codes, codeHash, now }: TakeInput): Promise<TakenMail | undefined> {
      return engine.write(async (tx) => {
        await tx.lock("identity_throttles", "id", [`mail:${email}`]);
        const row = await nextMail(tx, email, now);
        if (!row) return undefined;
        const leaseUntil = now + LEASE_MS;
        const isLong = (await shortCodesWaitMs(tx, email, now)) > 0;
        const code = isLong ? codes.long : codes.short;
        await tx.run(
          `UPDATE identity_requests SET mail_due_at = ?, code_hash = ?, code_expires_at = ?, tries = 0, other_tries = 0
           WHERE id = ?`,
          [leaseUntil, codeHash(row.id, code), now + CODE_TTL_MS, row.id],
        );
        // Let the mails that other sources requested go first.
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
        const user = await tx.get("SELECT id FROM identity_users WHERE email = ? AND password_hash <> ''", [
          email,
        ]);
        return { ...row, hasAccount: user !== undefined, code, isLong, leaseUntil };
      }, `mail:${email}`);
    },

    /** Removes a mail from the queue after it was sent or permanently refused. */
    async finishMail({
      id,
      purpose,
      leaseUntil,
    }: Pick<TakenMail, "id" | "purpose" | "leaseUntil">): Promise<void> {
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

export async function waitingMails(session: Session): Promise<number> {
  const row = await session.get<{ count: number }>(
    "SELECT count(*) AS count FROM identity_requests WHERE mail_due_at IS NOT NULL",
  );
  return row!.count;
}

/** Interval between two mails that one source requests for one address. It doubles after each mail. */
const SPACING_MS = 30 * SECOND;
const MAX_SPACING_MS = HOUR;
const MAILS_PER_ADDRESS_AND_HOUR = 20;
const MAILS_PER_SOURCE_AND_HOUR = 500;
const MAX_SOURCES = 100;
/** A mail that the mail server has not accepted within this time is sent again. */
const LEASE_MS = 2 * MINUTE;

interface TakeInput {
  email: string;
  /** The long code is used after too many wrong codes. */
  codes: { short: string; long: string };
  codeHash: (requestId: string, code: string) => string;
  now: number;
}

export interface TakenMail {
  id: string;
  purpose: string;
  holder: string;
  source: string;
  code: string;
  /** Whether the mail contains the long code, of 128 bits. */
  isLong: boolean;
  hasAccount: boolean;
  leaseUntil: number;
}

/** The second parameter finds times too far in the future, which were stored while the clock was ahead. */
function dueParams(now: number): [number, number] {
  return [now, now + 2 * MAX_SPACING_MS];
}

async function nextMail(
  tx: Transaction,
  email: string,
  now: number,
): Promise<Pick<TakenMail, "id" | "purpose" | "holder" | "source"> | undefined> {
  const due = "email = ? AND (mail_due_at <= ? OR mail_due_at > ?)";
  const dueMail = [email, ...dueParams(now)];
  const waiting = await tx.all<{ source: string; since: number }>(
    `SELECT source, MIN(COALESCE(waits_since, created_at)) AS since FROM identity_requests r WHERE ${due} GROUP BY source`,
    dueMail,
  );
  const sent = await sentInLastHour(tx, email, now);
  for (const { source } of byPriority(waiting, sent).slice(0, MAX_SOURCES)) {
    const waitMs = await waitTimeMs(tx, email, source, sent, now);
    if (waitMs === 0) {
      return tx.get(
        `SELECT id, purpose, holder, source FROM identity_requests WHERE ${due} AND source = ?
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

interface SentMails {
  /** Times of the mails in milliseconds since 1970, latest first. */
  times: readonly number[];
  /** Maps each network to the times of the mails that it requested. */
  byNetwork: ReadonlyMap<string, readonly number[]>;
}

async function sentInLastHour(tx: Transaction, email: string, now: number): Promise<SentMails> {
  const rows = await tx.all<{ source: string; at: number }>(
    `SELECT source, sent_at AS at FROM identity_sent_mails WHERE email = ? AND sent_at > ? AND sent_at <= ?
     ORDER BY sent_at DESC`,
    [email, now - HOUR, now],
  );
  const byNetwork = new Map<string, number[]>();
  for (const { source, at } of rows)
    for (const network of networksOf(source)) byNetwork.set(network, [...(byNetwork.get(network) ?? []), at]);
  return { times: rows.map(({ at }) => at), byNetwork };
}

/**
 * Sorts sources by the order in which their mails are sent. The source whose widest network has sent the
 * fewest mails to the address is first. Ties are broken by narrower networks, and then by the longest wait.
 * So no source or network can keep others waiting.
 */
function byPriority<Waiting extends { source: string; since: number }>(
  waiting: readonly Waiting[],
  { byNetwork }: SentMails,
): Waiting[] {
  const counted = waiting.map((each) => ({
    each,
    counts: networksOf(each.source).map((network) => byNetwork.get(network)?.length ?? 0),
  }));
  counted.sort((a, b) => {
    const index = a.counts.findIndex((count, level) => count !== (b.counts[level] ?? count));
    return index === -1 ? a.each.since - b.each.since : a.counts[index]! - b.counts[index]!;
  });
  return counted.map(({ each }) => each);
}

/** The service's own notices have no source, so they never wait. */
async function waitTimeMs(
  tx: Transaction,
  email: string,
  source: string,
  sent: SentMails,
  now: number,
): Promise<number> {
  if (source === "") return 0;
  const own = await tx.get<{ count: number; last: number | null }>(
    `SELECT COUNT(*) AS count, MAX(sent_at) AS last FROM identity_sent_mails
     WHERE email = ? AND source = ? AND sent_at > ? AND sent_at <= ?`,
    [email, source, now - DAY, now],
  );
  const ofSource = await tx.get<{ at: number }>(
    `SELECT sent_at AS at FROM identity_sent_mails WHERE source = ? AND sent_at > ? AND sent_at <= ?
     ORDER BY sent_at DESC LIMIT 1 OFFSET ?`,
    [source, now - HOUR, now, MAILS_PER_SOURCE_AND_HOUR - 1],
  );
  const ofNetwork = sent.byNetwork.get(networksOf(source)[0]!) ?? [];
  const left = MAILS_PER_ADDRESS_AND_HOUR - sent.times.length;
  const spacing = Math.min(SPACING_MS * 2 ** own!.count, MAX_SPACING_MS);
  return Math.max(
    0,
    own!.last === null ? 0 : own!.last + spacing - now,
    ...[
      sent.times[MAILS_PER_ADDRESS_AND_HOUR - 1],
      // A network may use at most half of the remaining mails, so that some are left for other networks.
      ofNetwork.length >= left / 2 ? ofNetwork.at(-1) : undefined,
      ofSource?.at,
    ].map((freeing) => (freeing === undefined ? 0 : freeing + HOUR - now)),
  );
}
