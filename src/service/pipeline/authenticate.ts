/** Authentication: an API key identifies a handle, an ID token identifies an account (docs/specification/identity.md#credentials). */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../contract/errors.js";
import { MINUTE, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { KEY_PATTERN, newId } from "../../kernel/ids.js";
import { findAccount, type Identity, upsertAccount } from "../../store/accounts/accounts.js";
import { type KeyHolder, keyHolders, updateLastUsed } from "../../store/accounts/api-keys.js";
import { type HandleStatus, handleStatus } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import type { Store } from "../../store/index.js";
import type { Agent, Human, Sender } from "./context.js";

/** Maximum number of cached API keys. 10,000 entries take a few megabytes. */
const CACHED_KEYS = 10_000;

export class Authenticator {
  /**
   * LRU cache from the hash of an API key to the handle that it identifies. When a key or the status of a handle changes, an
   * event removes the handle's entries in all daemons. If events may have been lost, the cache is cleared.
   */
  private readonly holders = new LRUCache<string, KeyHolder>({ max: CACHED_KEYS });
  /** Number of cache invalidations so far. A cache fill compares this number before and after its read. */
  private invalidations = 0;
  /**
   * Last-use times of API keys, in milliseconds since 1970, by primary key. `uses` are not saved yet, and `usesBeingSaved` are
   * being saved now.
   */
  private uses = new Map<number, number>();
  private usesBeingSaved: ReadonlyMap<number, number> = new Map();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly store: Store) {
    store.engine.subscribe(["status"], (event) => {
      if (event) this.invalidate(event.handle);
      else this.invalidateAll();
    });
    this.timer = setInterval(() => void this.saveUses().catch(() => undefined), MINUTE);
    this.timer.unref();
  }

  /**
   * Returns the agent that an API key identifies. A missing, malformed, unknown, revoked or expired key always causes the same
   * 401.
   */
  async authenticateAgent(key: string | undefined): Promise<Agent> {
    if (!key || !KEY_PATTERN.test(key)) throw unauthorized();
    const keyHash = sha256(key);
    const { keyPk, handle, account } = await this.validHolder(keyHash);
    this.uses.set(keyPk, now());
    return { kind: "agent", pk: handle.pk, id: handle.id, slug: handle.slug, account, keyHash };
  }

  /**
   * Throws 401 or 403 if the key or handle has become invalid since authentication. A long-poll calls this after its wait, and a
   * request with a body after the body was received.
   */
  async assertStillValid({ keyHash }: Agent): Promise<void> {
    await this.validHolder(keyHash);
  }

  /**
   * Returns the handle that the API key with this hash identifies. Throws 401 for an unknown, revoked or expired key, or 403
   * for a suspended handle.
   */
  private async validHolder(keyHash: string): Promise<KeyHolder> {
    const holder = await this.holder(keyHash);
    if (!holder || (holder.expiresAt !== null && holder.expiresAt <= now())) throw unauthorized();
    if (holder.isSuspended) throw suspended(holder.handle.slug);
    return holder;
  }

  /**
   * Returns the account of a verified ID token. Creates the account on the first call, and updates an e-mail address that has
   * changed.
   */
  async authenticateHuman(identity: Identity): Promise<Human> {
    let account = await findAccount(this.store.engine.reader, identity);
    if (account?.email !== identity.email) {
      account = await this.store.engine.write((tx) => upsertAccount(tx, identity, newId(), now()));
    }
    return { kind: "human", account };
  }

  private invalidate(handle: number): void {
    this.invalidations++;
    for (const [hash, holder] of [...this.holders])
      if (holder.handle.pk === handle) this.holders.delete(hash);
  }

  private invalidateAll(): void {
    this.invalidations++;
    this.holders.clear();
  }

  /**
   * Returns the last use of an API key that is not saved yet, in milliseconds since 1970. Returns undefined if the database is
   * up to date.
   * @param key primary key of the API key
   */
  unsavedUseTime(key: number): number | undefined {
    return this.uses.get(key) ?? this.usesBeingSaved.get(key);
  }

  /** Saves the last-use times of API keys. A timer calls this once a minute, so that no request waits for the write. */
  private async saveUses(): Promise<void> {
    if (this.uses.size === 0) return;
    this.usesBeingSaved = this.uses;
    this.uses = new Map();
    try {
      await this.store.engine.write((tx) => updateLastUsed(tx, [...this.usesBeingSaved]));
    } catch (error) {
      // Keeps the last-use times that could not be saved, so that the next save includes them. Newer times of the same key take
      // precedence.
      this.uses = new Map([...this.usesBeingSaved, ...this.uses]);
      throw error;
    } finally {
      this.usesBeingSaved = new Map();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.saveUses().catch(() => undefined);
  }

  private async holder(hash: string): Promise<KeyHolder | undefined> {
    const cached = this.holders.get(hash);
    if (cached) return cached;
    const { invalidations } = this;
    const holder = await this.store.engine.readBatched(keyHolders, hash);
    // Does not cache the result if keys were invalidated during the read, because this key may have been revoked.
    if (holder && invalidations === this.invalidations) this.holders.set(hash, holder);
    return holder;
  }
}

/**
 * Throws 401 if the caller's handle is retired, or 403 if it is suspended. A write calls this in its transaction, because the
 * status may have changed since authentication.
 */
export async function assertActive(session: Session, caller: Sender): Promise<void> {
  assertActiveStatus(caller, await handleStatus(session, caller.pk));
}

export function assertActiveStatus({ slug }: Sender, status: HandleStatus): void {
  if (status === "suspended") throw suspended(slug);
  if (status === "retired") throw unauthorized();
}

function unauthorized(): WireroomError {
  return new WireroomError(
    "UNAUTHORIZED",
    "the API key is missing or invalid; send `Authorization: Bearer wr_…` with a valid key",
  );
}

function suspended(slug: string): WireroomError {
  return new WireroomError("FORBIDDEN", `@${slug} is suspended; an operator of this service can restore it`);
}
