/** Who calls: API keys stand for handles, identity-provider tokens for accounts (specification, section 5). */
import { WireroomError } from "../contract/errors.js";
import { MINUTE, now } from "../kernel/clock.js";
import { sha256 } from "../kernel/hash.js";
import { KEY_PATTERN, newId } from "../kernel/ids.js";
import { findAccount, type Identity, saveAccount } from "../store/accounts.js";
import { type KeyHolder, keyHolders, touchKeys } from "../store/api-keys.js";
import type { Store } from "../store/index.js";
import type { Agent, Human } from "./context.js";

/** Keys that are remembered: 10,000 busy agents cost a few megabytes. */
const CACHED_KEYS = 10_000;

export class Authenticator {
  /**
   * Holders by the hash of their key, the least recently used first. News of a revocation, by whichever daemon, removes
   * its entry; where news may have been missed, all go.
   */
  private readonly holders = new Map<string, KeyHolder>();
  /** Counts revocations, to tell whether one came between a read and its being remembered. */
  private revocations = 0;
  private uses = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly store: Store) {
    store.engine.onNews((news) => {
      if (news === undefined) this.forgetAll();
      else if (news.topic === "revoked") this.forget(news.hash);
    });
    this.timer = setInterval(() => void this.recordUses().catch(() => undefined), MINUTE);
    this.timer.unref();
  }

  /** The agent that a key stands for. A missing, malformed, unknown, revoked or expired key gets the same 401. */
  async agent(key: string | undefined): Promise<Agent> {
    const holder = key && KEY_PATTERN.test(key) ? await this.holder(sha256(key)) : undefined;
    const at = now();
    if (!holder || (holder.expiresAt !== null && holder.expiresAt <= at)) {
      throw new WireroomError(
        "UNAUTHORIZED",
        "the API key is missing or invalid; send `Authorization: Bearer wr_…` with a key that is in force",
      );
    }
    this.uses.set(holder.keyPk, at);
    const { handle, account } = holder;
    return { kind: "agent", pk: handle.pk, id: handle.id, slug: handle.slug, account };
  }

  /** The account of a verified identity; created on its first call, its e-mail kept up to date. */
  async human(identity: Identity): Promise<Human> {
    let account = await findAccount(this.store.engine.reader, identity);
    if (account?.email !== identity.email) {
      account = await this.store.engine.write((tx) => saveAccount(tx, identity, newId(), now()));
    }
    return { kind: "human", account };
  }

  private forget(hash: string): void {
    this.revocations++;
    this.holders.delete(hash);
  }

  private forgetAll(): void {
    this.revocations++;
    this.holders.clear();
  }

  /** Writes down when keys were last used: once a minute, and never on a request's path. */
  async recordUses(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = [...this.uses];
    this.uses = new Map();
    await this.store.engine.write((tx) => touchKeys(tx, uses));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.recordUses().catch(() => undefined);
  }

  private async holder(hash: string): Promise<KeyHolder | undefined> {
    const cached = this.holders.get(hash);
    if (cached) {
      this.holders.delete(hash);
      this.holders.set(hash, cached);
      return cached;
    }
    const { revocations } = this;
    const holder = await this.store.engine.readBatched(keyHolders, hash);
    // A key that was revoked while it was being read must not be remembered.
    if (holder && revocations === this.revocations) this.remember(hash, holder);
    return holder;
  }

  private remember(hash: string, holder: KeyHolder): void {
    this.holders.set(hash, holder);
    if (this.holders.size <= CACHED_KEYS) return;
    const [oldest] = this.holders.keys();
    if (oldest !== undefined) this.holders.delete(oldest);
  }
}
