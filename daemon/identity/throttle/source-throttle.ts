/** Limits on the requests, wrong tries, registrations and mails of one source and of its networks. */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../../src/contract/errors.js";
import { HOUR, MINUTE, SECOND } from "../../../src/kernel/clock.js";
import { NetworkShares } from "./network-shares.js";

/** Limit on wrong passwords and user codes of one source (docs/specification/identity.md#throttling). */
const MAX_WRONG_TRIES = 10;
const WRONG_TRIES_WINDOW_MS = 15 * MINUTE;
/** Limit on costly requests of one source: a reserve, and the interval at which it gains one request. */
const REQUEST_RESERVE = 120;
const REQUEST_INTERVAL_MS = 5 * SECOND;
/** Limit on client registrations of one source (docs/specification/identity.md#applications). */
const MAX_REGISTRATIONS = 20;
const REGISTRATIONS_WINDOW_MS = HOUR;
/** Limits of all sources together. Each is high enough that a single source reaches its own limit first. */
const SHARES = {
  requests: { total: 4_000, windowMs: 10 * MINUTE },
  registrations: { total: 2_000, windowMs: HOUR },
  mails: { total: 2_000, windowMs: HOUR },
  /** Mails to addresses without an account. */
  strayMails: { total: 200, windowMs: HOUR },
};
/** Maximum number of sources in memory. If there are more, the one that was idle for longest is forgotten. */
const MAX_SOURCES = 50_000;
/** With `max`, the cache would allocate all of its entries at the start, which takes 5 ms. */
const BY_SOURCE = { maxSize: MAX_SOURCES, sizeCalculation: () => 1 };

interface WrongTry {
  time: number;
  /** The e-mail address for which a wrong password was entered; undefined for a user code. */
  email: string | undefined;
}

/** The client for which a password is hashed. Clients take turns. */
export interface Turn {
  source: string;
  /** The e-mail address, for a client that seems to be the owner of its account. */
  owner?: string | undefined;
}

/** Counts the wrong tries and costly requests of sources and their networks, in memory. */
export class SourceThrottle {
  private readonly wrongTries = new LRUCache<string, WrongTry[]>(BY_SOURCE);
  private readonly requests = new LRUCache<string, { left: number; at: number }>(BY_SOURCE);
  private readonly registrations = new LRUCache<string, number[]>(BY_SOURCE);
  private readonly shares: Record<keyof typeof SHARES, NetworkShares>;
  /** Sources from which the right password of an address was sent. */
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
   * Returns the client of a request. It counts as the owner of the address if it is signed in to the account,
   * or if the right password came from its source before.
   */
  turnOf(source: string, email: string, isSignedIn = false): Turn {
    return { source, owner: isSignedIn || this.owners.has(ownerKey(source, email)) ? email : undefined };
  }

  /**
   * Counts a costly request. Throws RATE_LIMITED if the source has sent too many, or if a network around it
   * has used its share, which does not hold up an owner.
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

  /** Counts the registration of a client. Throws RATE_LIMITED if the source has registered too many. */
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

  /** Counts the request for a mail with a code. Throws RATE_LIMITED beyond a network's share. */
  countMail(source: string): void {
    this.takeShare("mails", source, "too many codes were requested from your network");
  }

  /** Counts a mail to an address without an account. Returns false beyond a network's share. */
  mayMailStranger(source: string): boolean {
    return this.shares.strayMails.take(source) === 0;
  }

  /** Throws RATE_LIMITED if there were too many wrong passwords and user codes from the source. */
  assertMayTry(source: string): void {
    const tries = this.recentTries(source);
    if (tries.length < MAX_WRONG_TRIES) return;
    const waitMs = tries[0]!.time + WRONG_TRIES_WINDOW_MS - this.now();
    throw rateLimited("too many wrong passwords or codes from your network", waitMs);
  }

  /** Counts a wrong try. Returns a function that takes it back. */
  countWrongTry(source: string, email?: string): () => void {
    const added = { time: this.now(), email };
    this.wrongTries.set(source, [...this.recentTries(source), added]);
    return () => this.keepTries(source, (wrongTry) => wrongTry !== added);
  }

  /**
   * Remembers a right password, and removes the wrong ones for the address. Those for other addresses stay,
   * so that nobody can go on guessing by signing in to an account of their own from time to time.
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
