/** Who calls: API keys stand for handles, identity-provider tokens for accounts (specification, section 5). */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../contract/errors.js";
import { MINUTE, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { KEY_PATTERN, newId } from "../../kernel/ids.js";
import { findAccount, type Identity, saveAccount } from "../../store/accounts/accounts.js";
import { type KeyHolder, keyHolders, touchKeys } from "../../store/accounts/api-keys.js";
import { type Standing, standingOf } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import type { Store } from "../../store/index.js";
import type { Agent, Human, Sender } from "./context.js";

/** Keys that are remembered: 10,000 busy agents cost a few megabytes. */
const CACHED_KEYS = 10_000;

export class Authenticator {
  /**
   * Holders by the hash of their key. The event of a revocation, by whichever daemon, removes its entry; if events may have been
   * missed, all entries go.
   */
  private readonly holders = new LRUCache<string, KeyHolder>({ max: CACHED_KEYS });
  /** Counts revocations, to tell whether one came between a read and its being remembered. */
  private revocations = 0;
  /** When keys were last used, as far as it is not written down; and what is being written at present. */
  private uses = new Map<number, number>();
  private beingWritten: ReadonlyMap<number, number> = new Map();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly store: Store) {
    store.engine.subscribe(["standing"], (event) => {
      if (event) this.forget(event.handle);
      else this.forgetAll();
    });
    this.timer = setInterval(() => void this.recordUses().catch(() => undefined), MINUTE);
    this.timer.unref();
  }

  /** The agent that a key stands for. A missing, malformed, unknown, revoked or expired key gets the same 401. */
  async agent(key: string | undefined): Promise<Agent> {
    if (!key || !KEY_PATTERN.test(key)) throw unauthorized();
    const keyHash = sha256(key);
    const { keyPk, handle, account } = await this.inForce(keyHash);
    this.uses.set(keyPk, now());
    return { kind: "agent", pk: handle.pk, id: handle.id, slug: handle.slug, account, keyHash };
  }

  /** Throws where the agent's key or handle has gone out of force since: for requests that were held meanwhile. */
  async recheck({ keyHash }: Agent): Promise<void> {
    await this.inForce(keyHash);
  }

  /** The holder of a key. Throws 401 for one that is unknown, revoked or expired, 403 where its handle is suspended. */
  private async inForce(keyHash: string): Promise<KeyHolder> {
    const holder = await this.holder(keyHash);
    if (!holder || (holder.expiresAt !== null && holder.expiresAt <= now())) throw unauthorized();
    if (holder.suspended) throw suspended(holder.handle.slug);
    return holder;
  }

  /** The account of a verified identity; created on its first call, its e-mail kept up to date. */
  async human(identity: Identity): Promise<Human> {
    let account = await findAccount(this.store.engine.reader, identity);
    if (account?.email !== identity.email) {
      account = await this.store.engine.write((tx) => saveAccount(tx, identity, newId(), now()));
    }
    return { kind: "human", account };
  }

  /** Forgets all keys of a handle, one of which was revoked, or whose standing has changed. */
  private forget(handle: number): void {
    this.revocations++;
    for (const [hash, holder] of [...this.holders])
      if (holder.handle.pk === handle) this.holders.delete(hash);
  }

  private forgetAll(): void {
    this.revocations++;
    this.holders.clear();
  }

  /** When a key was used, where that has not been written down yet. */
  unwrittenUse(key: number): number | undefined {
    return this.uses.get(key) ?? this.beingWritten.get(key);
  }

  /** Writes down when keys were last used: once a minute, and never on a request's path. */
  private async recordUses(): Promise<void> {
    if (this.uses.size === 0) return;
    this.beingWritten = this.uses;
    this.uses = new Map();
    try {
      await this.store.engine.write((tx) => touchKeys(tx, [...this.beingWritten]));
    } catch (error) {
      // Another time, unless they are used again by then.
      this.uses = new Map([...this.beingWritten, ...this.uses]);
      throw error;
    } finally {
      this.beingWritten = new Map();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.recordUses().catch(() => undefined);
  }

  private async holder(hash: string): Promise<KeyHolder | undefined> {
    const cached = this.holders.get(hash);
    if (cached) return cached;
    const { revocations } = this;
    const holder = await this.store.engine.readBatched(keyHolders, hash);
    // A key that was revoked while it was being read must not be remembered.
    if (holder && revocations === this.revocations) this.holders.set(hash, holder);
    return holder;
  }
}

/** Throws where the agent's handle may not act any more: for writes, as the caller was known before their transaction began. */
export async function assertServing(session: Session, caller: Sender): Promise<void> {
  assertStanding(caller, await standingOf(session, caller.pk));
}

export function assertStanding({ slug }: Sender, standing: Standing): void {
  if (standing === "suspended") throw suspended(slug);
  if (standing === "retired") throw unauthorized();
}

function unauthorized(): WireroomError {
  return new WireroomError(
    "UNAUTHORIZED",
    "the API key is missing or invalid; send `Authorization: Bearer wr_…` with a key that is in force",
  );
}

function suspended(slug: string): WireroomError {
  return new WireroomError("FORBIDDEN", `@${slug} is suspended by an operator; ask one to restore it`);
}
