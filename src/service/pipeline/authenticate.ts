/**
 * Authenticates callers, and records when their credentials were last used. An API key or access token
 * identifies a handle, and an ID token an account (docs/specification/identity.md#credentials).
 */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../contract/errors.js";
import { MINUTE, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { CREDENTIAL_PATTERN, newId, TOKEN_PREFIX } from "../../kernel/ids.js";
import { tokenHolders } from "../../store/accounts/access-tokens.js";
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

/** Maximum number of cached credentials, which together take a few megabytes. */
const CACHED_CREDENTIALS = 10_000;

export class CallerRefused extends WireroomError {}

type Credential = Pick<Agent, "credentialHash" | "isToken">;

export type HumanIdentity = Identity & {
  human?: string;
  grantId?: string | undefined;
  issuedAtMs?: number;
  expiresAtMs?: number;
};

export class Authenticator {
  /**
   * LRU cache that maps a credential's hash to its handle. When a credential or a handle's status changes, an
   * event removes the handle's entries in all daemons. If events may have been lost, the whole cache is
   * cleared.
   */
  private readonly holders = new LRUCache<string, CredentialHolder>({
    maxSize: CACHED_CREDENTIALS,
    sizeCalculation: () => 1,
    dispose: (holder, hash) => this.dropHash(holder.handle.pk, hash),
  });
  /**
   * The keys of `holders` by handle. Deleting an account invalidates thousands of handles at once, and this
   * index avoids a scan of the cache for each.
   */
  private readonly hashes = new Map<number, Set<string>>();
  /** Number of cache invalidations so far. If it changes during a load, the loaded result is not cached. */
  private invalidations = 0;
  readonly keyUses: LastUses;
  readonly connectionUses: LastUses;
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
   * Returns the agent that an API key or access token identifies. Throws the same 401 for a missing,
   * malformed, unknown, revoked or expired credential.
   */
  async authenticateAgent(credential: string | undefined): Promise<Agent> {
    if (!credential || !CREDENTIAL_PATTERN.test(credential)) throw unauthorized();
    const credentialHash = sha256(credential);
    const isToken = credential.startsWith(TOKEN_PREFIX);
    const holder = assertValid(this.cached(credentialHash) ?? (await this.load({ credentialHash, isToken })));
    const { connection, handle, account } = holder;
    if (connection !== null) this.connectionUses.record(connection, now());
    else if (!isToken) this.keyUses.record(holder.pk, now());
    return {
      kind: "agent",
      pk: handle.pk,
      id: handle.id,
      slug: handle.slug,
      account,
      credentialHash,
      isToken,
      // A token without a connection was issued to the human (POST /handles/{slug}/token).
      isHuman: isToken && connection === null,
    };
  }

  cachedAccount(credential: string | undefined): number | undefined {
    return credential === undefined ? undefined : this.holders.peek(sha256(credential))?.account.pk;
  }

  /**
   * Throws 401 or 403 if the credential or handle has become invalid since authentication. Held requests call
   * this after the wait, and requests with a body call it after the body has arrived.
   */
  async assertStillValid(caller: Agent | Human): Promise<void> {
    if (caller.kind === "agent") assertValid(this.cached(caller.credentialHash) ?? (await this.load(caller)));
    else if (caller.expiresAtMs !== undefined && caller.expiresAtMs <= now())
      throw new WireroomError("FORBIDDEN", "the ID token has expired; sign in again");
    else await assertSignedIn(this.store.engine.reader, caller.grantId);
  }

  /**
   * Returns the human's account. Creates the account on the first call, and updates its e-mail address if the
   * address has changed. Throws 403 if the sign-in has ended, or predates the account's deletion.
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

  private async load({ credentialHash, isToken }: Credential): Promise<CredentialHolder | undefined> {
    const { invalidations } = this;
    const { engine } = this.store;
    const holder = isToken
      ? await engine.readBatched(tokenHolders, credentialHash)
      : await engine.readBatched(keyHolders, credentialHash);
    // Skip caching if anything was invalidated during the read, because this credential may have been
    // revoked.
    if (holder && invalidations === this.invalidations) this.cache(credentialHash, holder);
    return holder;
  }
}

/**
 * Throws 403 if the ID token's sign-in has ended. Skips external providers' ID tokens, which have no grant.
 */
async function assertSignedIn(session: Session, grantId: string | undefined): Promise<void> {
  if (grantId === undefined || (await isSignedIn(session, grantId, now()))) return;
  throw new WireroomError("FORBIDDEN", "the sign-in of this ID token has ended; sign in again");
}

/**
 * Throws 403 if the human's sign-in has ended. Otherwise locks the sign-in, so that it stays valid until the
 * transaction ends.
 */
export async function keepSignedIn(tx: Transaction, { grantId }: Human): Promise<void> {
  if (grantId === undefined) return;
  await tx.lock("sign_ins", "grant_id", [grantId]);
  await assertSignedIn(tx, grantId);
}

/** Throws 403 if the sign-in is older than the deletion of an earlier account with the same identity. */
export function assertNotBeforeDeletion({ refusedBefore }: StoredAccount, signedInAt: number): void {
  if (signedInAt < (refusedBefore ?? 0)) throw accountDeleted();
}

export function accountDeleted(): WireroomError {
  return new WireroomError(
    "FORBIDDEN",
    "this account was deleted; for a new one, sign up, or sign in again after a minute",
  );
}

export function assertAccountActive({ suspendedAt }: StoredAccount): void {
  if (suspendedAt === null) return;
  const message =
    "this account is suspended and gets no new handle; an operator of this service can restore it";
  throw new WireroomError("FORBIDDEN", message);
}

/**
 * Throws 401 if the caller's handle is retired, or 403 if it is suspended. Writes call this inside the
 * transaction, because the status may have changed since authentication.
 */
export async function assertActive(session: Session, caller: Sender): Promise<void> {
  assertActiveStatus(caller, await handleStatus(session, caller.pk));
}

export function assertActiveStatus({ slug }: Sender, status: HandleStatus): void {
  if (status === "suspended") throw suspended(slug);
  if (status === "retired") throw unauthorized();
}

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
