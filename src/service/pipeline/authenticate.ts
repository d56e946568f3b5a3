/**
 * Authentication: an API key or access token identifies a handle, an ID token identifies an account
 * (docs/specification/identity.md#credentials).
 */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../contract/errors.js";
import { MINUTE, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { CREDENTIAL_PATTERN, newId, TOKEN_PREFIX } from "../../kernel/ids.js";
import { recordFirstUse, type TokenHolder, tokenHolders } from "../../store/accounts/access-tokens.js";
import {
  findAccount,
  type Identity,
  type StoredAccount,
  upsertAccount,
} from "../../store/accounts/accounts.js";
import { keyHolders, updateLastUsed } from "../../store/accounts/api-keys.js";
import { updateConnectionsLastUsed } from "../../store/accounts/connections.js";
import type { CredentialHolder } from "../../store/accounts/credentials.js";
import { type HandleStatus, handleStatus } from "../../store/accounts/handles.js";
import { isSignedIn } from "../../store/accounts/sign-ins.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { countLookup } from "../../store/engine/statistics.js";
import type { Store } from "../../store/index.js";
import type { Agent, Human, Sender } from "./caller.js";
import { LastUses } from "./last-uses.js";

/** Maximum number of cached credentials. 10,000 entries take a few megabytes. */
const CACHED_CREDENTIALS = 10_000;

/** The 401 or 403 of a caller whose credential is invalid or whose handle is suspended. */
export class CallerRefused extends WireroomError {}

type Credential = Pick<Agent, "credentialHash" | "isToken">;

/** A human who has signed in, and what the ID token of the sign-in says, if there is one. */
export type HumanIdentity = Identity & {
  human?: string;
  grantId?: string | undefined;
  issuedAtMs?: number;
  expiresAtMs?: number;
};

export class Authenticator {
  /**
   * LRU cache from the hash of an API key or access token to the handle that it identifies. When a credential
   * or the status of a handle changes, an event removes the handle's entries in all daemons. If events may
   * have been lost, the cache is cleared.
   */
  private readonly holders = new LRUCache<string, CredentialHolder>({
    max: CACHED_CREDENTIALS,
    dispose: (holder, hash) => this.dropHash(holder.handle.pk, hash),
  });
  /**
   * The keys of `holders` by handle, because the end of an account invalidates thousands of handles at once.
   */
  private readonly hashes = new Map<number, Set<string>>();
  /** Number of cache invalidations so far. A cache fill compares this number before and after its read. */
  private invalidations = 0;
  /** Last uses of API keys and of connections. */
  readonly keyUses: LastUses;
  readonly connectionUses: LastUses;
  /** Writes of first uses that are under way, by primary key of the access token. */
  private readonly firstUses = new Map<number, Promise<void>>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly store: Store) {
    const { engine } = store;
    this.keyUses = new LastUses((uses) => engine.write((tx) => updateLastUsed(tx, uses)));
    this.connectionUses = new LastUses((uses) => engine.write((tx) => updateConnectionsLastUsed(tx, uses)));
    engine.subscribe(["status"], (event) => {
      if (event) this.invalidate(event.handle);
      else this.invalidateAll();
    });
    this.timer = setInterval(() => void this.saveUses(), MINUTE);
    this.timer.unref();
  }

  /**
   * Returns the agent that an API key or access token identifies. A missing, malformed, unknown, revoked or
   * expired credential always causes the same 401.
   */
  async authenticateAgent(credential: string | undefined): Promise<Agent> {
    if (!credential || !CREDENTIAL_PATTERN.test(credential)) throw unauthorized();
    const credentialHash = sha256(credential);
    const isToken = credential.startsWith(TOKEN_PREFIX);
    const holder = assertValid(this.cached(credentialHash) ?? (await this.load({ credentialHash, isToken })));
    if (isToken) await this.recordTokenUse(holder as TokenHolder);
    else this.keyUses.record(holder.pk, now());
    const { handle, account } = holder;
    return {
      kind: "agent",
      pk: handle.pk,
      id: handle.id,
      slug: handle.slug,
      account,
      credentialHash,
      isToken,
      // A token that belongs to no connection was issued to the human (POST /handles/{slug}/token).
      isHuman: isToken && (holder as TokenHolder).connection === null,
    };
  }

  /** Returns the primary key of the account that a credential identifies, if the credential is cached. */
  cachedAccount(credential: string | undefined): number | undefined {
    return credential === undefined ? undefined : this.holders.peek(sha256(credential))?.account.pk;
  }

  /**
   * Throws 401 or 403 if the credential or handle has become invalid since authentication. A held request
   * calls this after its wait, and a request with a body after the body was received.
   */
  async assertStillValid(caller: Agent | Human): Promise<void> {
    if (caller.kind === "agent") assertValid(this.cached(caller.credentialHash) ?? (await this.load(caller)));
    else if (caller.expiresAtMs !== undefined && caller.expiresAtMs <= now())
      throw new WireroomError("FORBIDDEN", "the ID token has expired; sign in again");
    else await assertSignedIn(this.store.engine.reader, caller.grantId);
  }

  /**
   * Records the use of a connection. The first use of each of its tokens is stored before the call is
   * answered: from then on, the authorization server rejects the previous refresh token
   * (docs/specification/identity.md#access-tokens).
   */
  private async recordTokenUse(holder: TokenHolder): Promise<void> {
    if (holder.connection === null) return;
    this.connectionUses.record(holder.connection, now());
    if (holder.isUsed) return;
    const { pk } = holder;
    let stored = this.firstUses.get(pk);
    if (!stored) {
      stored = this.store.engine
        .write((tx) => recordFirstUse(tx, pk, now()))
        .finally(() => this.firstUses.delete(pk));
      this.firstUses.set(pk, stored);
    }
    await stored;
    holder.isUsed = true;
  }

  /**
   * Returns the account of a human, such as that of a verified ID token. Creates the account on the first
   * call, and updates an e-mail address that has changed. Throws 403 if the sign-in has ended, or was to an
   * account that was deleted.
   */
  async authenticateHuman(identity: HumanIdentity): Promise<Human> {
    const { engine } = this.store;
    const { human = identity.subject, grantId, issuedAtMs = now(), expiresAtMs } = identity;
    let [account] = await Promise.all([
      findAccount(engine.reader, identity),
      assertSignedIn(engine.reader, grantId),
    ]);
    if (account?.email !== identity.email) {
      account = await engine.write(async (tx) => {
        const stored = await upsertAccount(tx, identity, newId(), now());
        assertNotBeforeDeletion(stored, issuedAtMs);
        return stored;
      });
    }
    assertNotBeforeDeletion(account, issuedAtMs);
    return { kind: "human", account, human, grantId, expiresAtMs };
  }

  private invalidate(handle: number): void {
    this.invalidations++;
    for (const hash of this.hashes.get(handle) ?? []) this.holders.delete(hash);
  }

  private dropHash(handle: number, hash: string): void {
    const hashes = this.hashes.get(handle);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashes.delete(handle);
  }

  private cache(hash: string, holder: CredentialHolder): void {
    this.holders.set(hash, holder);
    const { pk } = holder.handle;
    const hashes = this.hashes.get(pk);
    if (hashes) hashes.add(hash);
    else this.hashes.set(pk, new Set([hash]));
  }

  private invalidateAll(): void {
    this.invalidations++;
    this.holders.clear();
  }

  private async saveUses(): Promise<void> {
    await Promise.allSettled([this.keyUses.save(), this.connectionUses.save()]);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.saveUses();
  }

  private cached(credentialHash: string): CredentialHolder | undefined {
    const holder = this.holders.get(credentialHash);
    countLookup(this.store.statistics.caches.credentials, holder);
    return holder;
  }

  /** Reads the handle that a credential identifies, and caches it. */
  private async load({ credentialHash, isToken }: Credential): Promise<CredentialHolder | undefined> {
    const { invalidations } = this;
    const { engine } = this.store;
    const holder = isToken
      ? await engine.readBatched(tokenHolders, credentialHash)
      : await engine.readBatched(keyHolders, credentialHash);
    // Does not cache the result if credentials were invalidated during the read, because this one may have
    // been revoked.
    if (holder && invalidations === this.invalidations) this.cache(credentialHash, holder);
    return holder;
  }
}

/**
 * Throws 403 if the sign-in of an ID token has ended or expired. An ID token of an external provider names no
 * grant.
 */
async function assertSignedIn(session: Session, grantId: string | undefined): Promise<void> {
  if (grantId === undefined || (await isSignedIn(session, grantId, now()))) return;
  throw new WireroomError("FORBIDDEN", "the sign-in of this ID token has ended; sign in again");
}

/**
 * Throws 403 if the sign-in of a human has ended since authentication. Otherwise, locks it, so that it cannot
 * end first.
 */
export async function keepSignedIn(tx: Transaction, { grantId }: Human): Promise<void> {
  if (grantId === undefined) return;
  await tx.lock("sign_ins", "grant_id", [grantId]);
  await assertSignedIn(tx, grantId);
}

/** Throws 403 if a human signed in before an earlier account of the same identity was deleted. */
export function assertNotBeforeDeletion({ refusedBefore }: StoredAccount, signedInAt: number): void {
  if (signedInAt < (refusedBefore ?? 0)) throw accountDeleted();
}

export function accountDeleted(): WireroomError {
  return new WireroomError(
    "FORBIDDEN",
    "this account was deleted; for a new one, sign up, or sign in again after a minute",
  );
}

/** Throws 403 if an operator has suspended the account. */
export function assertAccountActive({ suspendedAt }: StoredAccount): void {
  if (suspendedAt === null) return;
  const message =
    "this account is suspended and gets no new handle; an operator of this service can restore it";
  throw new WireroomError("FORBIDDEN", message);
}

/**
 * Throws 401 if the caller's handle is retired, or 403 if it is suspended. A write calls this in its
 * transaction, because the status may have changed since authentication.
 */
export async function assertActive(session: Session, caller: Sender): Promise<void> {
  assertActiveStatus(caller, await handleStatus(session, caller.pk));
}

export function assertActiveStatus({ slug }: Sender, status: HandleStatus): void {
  if (status === "suspended") throw suspended(slug);
  if (status === "retired") throw unauthorized();
}

/** Throws 401 for an unknown, revoked or expired credential, or 403 for a suspended handle. */
function assertValid(holder: CredentialHolder | undefined): CredentialHolder {
  if (!holder || (holder.expiresAt !== null && holder.expiresAt <= now())) throw unauthorized();
  if (holder.isSuspended) throw suspended(holder.handle.slug);
  return holder;
}

function unauthorized(): WireroomError {
  return new CallerRefused(
    "UNAUTHORIZED",
    "the API key or access token is missing or invalid; send `Authorization: Bearer wr_…` with a valid key",
  );
}

function suspended(slug: string): WireroomError {
  return new CallerRefused("FORBIDDEN", `@${slug} is suspended; an operator of this service can restore it`);
}
