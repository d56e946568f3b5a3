/**
 * Limits the requests, wrong tries, registrations and mails of each source and of the networks that contain
 * it.
 */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../../src/contract/errors.js";
import { HOUR, MINUTE, SECOND } from "../../../src/kernel/clock.js";
import { NetworkShares } from "./network-shares.js";

/** Limit on a source's wrong passwords and user codes (docs/specification/identity.md#throttling). */
const MAX_WRONG_TRIES = 10;
const WRONG_TRIES_WINDOW_MS = 15 * MINUTE;
/** Each source has a token bucket of this size, which gains one token per interval. */
const REQUEST_RESERVE = 120;
const REQUEST_INTERVAL_MS = 5 * SECOND;
/** Limit on a source's client registrations (docs/specification/identity.md#applications). */
const MAX_REGISTRATIONS = 20;
const REGISTRATIONS_WINDOW_MS = HOUR;
/** The limits of networks are so high that a single source reaches its own limit first. */
const SHARES = {
  requests: { total: 4_000, windowMs: 10 * MINUTE },
  registrations: { total: 2_000, windowMs: HOUR },
  mails: { total: 2_000, windowMs: HOUR },
  /** Mails to addresses without an account. */
  strayMails: { total: 200, windowMs: HOUR },
};
const MAX_SOURCES = 50_000;
/** With `max`, the cache would allocate all entries at startup. */
const BY_SOURCE = { maxSize: MAX_SOURCES, sizeCalculation: () => 1 };

interface WrongTry {
  time: number;
  /** Undefined for a wrong user code. */
  email: string | undefined;
}

export interface Turn {
  source: string;
  /** The e-mail address, if the client is probably the account's owner. */
  owner?: string | undefined;
}

/** Counts wrong tries and expensive requests by source and network, in memory only. */
export class SourceThrottle {
  private readonly wrongTries = new LRUCache<string, WrongTry[]>(BY_SOURCE);
  private readonly requests = new LRUCache<string, { left: number; at: number }>(BY_SOURCE);
  private readonly registrations = new LRUCache<string, number[]>(BY_SOURCE);
  private readonly shares: Record<keyof typeof SHARES, NetworkShares>;
  /** Sources that have sent the right password for an address. */
  private readonly owners = new LRUCache<string, true>(BY_SOURCE);

  constructor(private readonly now: () => number) {
    const shareOf = (name: keyof typeof SHARES) => new NetworkShares(SHARES[name], now);
    this.shares = {
      requests: shareOf("requests"),
      registrations: shareOf("registrations"),
      mails: shareOf("mails"),
      strayMails: shareOf("strayMails"),
    };
  }

  /**
   * Returns the client that makes a request. It counts as the account's owner if it is signed in to the
   * account, or if its source has sent the account's password before.
   */
  turnOf(source: string, email: string, isSignedIn = false): Turn {
    return { source, owner: isSignedIn || this.owners.has(ownerKey(source, email)) ? email : undefined };
  }

  /**
   * Counts an expensive request. Throws RATE_LIMITED if the source has sent too many, or if a stranger's
   * network has used up its share.
   */
  countRequest(source: string, owner?: string): void {
    const now = this.now();
    const before = this.requests.get(source) ?? { left: REQUEST_RESERVE, at: now };
    const gained = Math.max(0, now - before.at) / REQUEST_INTERVAL_MS;
    const left = Math.min(REQUEST_RESERVE, before.left + gained) - 1;
    if (left < 0) throw rateLimited("too many requests from your network", -left * REQUEST_INTERVAL_MS);
    if (owner === undefined) this.takeShare("requests", source, "too many requests from your network");
    this.requests.set(source, { left, at: now });
  }

  countRegistration(source: string): void {
    const now = this.now();
    const times = (this.registrations.get(source) ?? []).filter(
      (time) => time > now - REGISTRATIONS_WINDOW_MS && time <= now,
    );
    if (times.length >= MAX_REGISTRATIONS)
      throw rateLimited(
        "too many registrations from your network",
        times[0]! + REGISTRATIONS_WINDOW_MS - now,
      );
    this.takeShare("registrations", source, "too many registrations from your network");
    this.registrations.set(source, [...times, now]);
  }

  /** Throws RATE_LIMITED if a network that contains the source has used up its share of mailed codes. */
  countMail(source: string): void {
    this.takeShare("mails", source, "too many codes were requested from your network");
  }

  /**
   * Counts a mail to an address without an account. Returns false if a network that contains the source has
   * used up its share.
   */
  mayMailStranger(source: string): boolean {
    return this.shares.strayMails.take(source) === 0;
  }

  assertMayTry(source: string): void {
    const tries = this.recentTries(source);
    if (tries.length < MAX_WRONG_TRIES) return;
    const waitMs = tries[0]!.time + WRONG_TRIES_WINDOW_MS - this.now();
    throw rateLimited("too many wrong passwords or codes from your network", waitMs);
  }

  /** Counts a wrong try. Returns a function that removes it from the count. */
  countWrongTry(source: string, email?: string): () => void {
    const added = { time: this.now(), email };
    this.wrongTries.set(source, [...this.recentTries(source), added]);
    return () => this.keepTries(source, (wrongTry) => wrongTry !== added);
  }

  /**
   * Records that the source knows the password, and forgets its wrong tries for this address. Other wrong
   * tries stay, so that signing in to one's own account does not allow more guesses.
   */
  recordRightPassword(source: string, email: string): void {
    this.owners.set(ownerKey(source, email), true);
    this.keepTries(source, (wrongTry) => wrongTry.email !== email);
  }

  private takeShare(name: keyof typeof SHARES, source: string, problem: string): void {
    const waitMs = this.shares[name].take(source);
    if (waitMs > 0) throw rateLimited(problem, waitMs);
  }

  private keepTries(source: string, isKept: (wrongTry: WrongTry) => boolean): void {
    const tries = this.recentTries(source).filter(isKept);
    if (tries.length > 0) this.wrongTries.set(source, tries);
    else this.wrongTries.delete(source);
  }

  private recentTries(source: string): WrongTry[] {
    const now = this.now();
    const tries = this.wrongTries.get(source) ?? [];
    return tries.filter(({ time }) => time > now - WRONG_TRIES_WINDOW_MS && time <= now);
  }
}

function ownerKey(source: string, email: string): string {
  return `${source} ${email}`;
}

function rateLimited(message: string, waitMs: number): WireroomError {
  return new WireroomError("RATE_LIMITED", `${message}; try again later`, {
    retry_after: Math.max(1, Math.ceil(waitMs / SECOND)),
  });
}
