/**
 * Workers of the load. Each claims wires of the queue, and then finishes, extends or releases its claims,
 * some only after they have expired, when another worker may have the wire.
 */

import { type Claim, now } from "./ledger.js";
import type { LoadOptions } from "./load.js";
import { type Agent, LONGEST_CLAIM_S, SPACES, type World } from "./world.js";

/** The time in which others may claim a wire after its claim has expired. */
const LATE_MS = 1_500;

export class Worker {
  private readonly held: Claim[] = [];
  /** Claims that are used after they have expired. */
  private readonly late: Claim[] = [];
  private requests = 0;
  /** A request without a response, which is sent again with the same key. */
  private lost: { name: string; body: object; seconds: number; sentAt: number } | undefined;

  constructor(
    private readonly agent: Agent,
    private readonly world: World,
    private readonly options: LoadOptions,
  ) {}

  /** Sends one request. Returns whether a response arrived. */
  step(): Promise<boolean> {
    const { random } = this.world;
    const isLate = now() > (this.late[0]?.until ?? Number.POSITIVE_INFINITY) + LATE_MS;
    const claim = isLate ? this.late.shift() : this.held.pop();
    if (!claim) return this.claim();
    const choice = random.next();
    if (choice < 0.35) return this.reply(claim);
    if (choice < 0.55) return this.finish(claim);
    if (choice < 0.75) return this.extend(claim);
    if (choice < 0.9) return this.giveBack(claim);
    this.late.push(claim);
    return this.claim();
  }

  private nextName(): string {
    return `${this.options.label ?? ""}${this.agent.slug}.worker.${this.requests++}`;
  }

  private async claim(): Promise<boolean> {
    const { ledger, random } = this.world;
    const seconds = 1 + random.below(LONGEST_CLAIM_S);
    const body = { seconds, limit: 1 + random.below(3), wait: random.below(2) };
    const request = this.lost ?? { name: this.nextName(), body, seconds, sentAt: now() };
    this.lost = undefined;
    const reply = await this.send("POST", `/spaces/${SPACES.queue}/claims`, request.body, request.name);
    if (!reply && this.options.replays !== false && random.chance(0.8)) this.lost = request;
    if (reply?.status !== 200) return reply !== undefined;
    const { sentAt, seconds: claimed } = request;
    for (const { wire, token, attempt } of reply.body.claims) {
      const job = ledger.wires.get(wire.payload.name);
      if (!job) throw new Error(`${wire.id}, which nobody sent, was claimed`);
      const until = sentAt + claimed * 1_000;
      const claim: Claim = { wire: wire.id, job, token, attempt, sentAt, receivedAt: now(), until };
      if (ledger.addClaim(claim, this.world.clockJumps)) this.held.push(claim);
    }
    return true;
  }

  private async extend(claim: Claim): Promise<boolean> {
    const seconds = 1 + this.world.random.below(LONGEST_CLAIM_S);
    const sentAt = now();
    const until = sentAt + seconds * 1_000;
    // The extension may shorten the claim.
    claim.until = Math.min(claim.until, until);
    const reply = await this.send("PUT", `/wires/${claim.wire}/claim`, { token: claim.token, seconds });
    if (reply?.status !== 200) return reply !== undefined;
    claim.until = until;
    this.world.ledger.acceptToken(claim, sentAt);
    this.held.push(claim);
    return true;
  }

  private async finish(claim: Claim): Promise<boolean> {
    const sentAt = now();
    claim.endedAt ??= sentAt;
    claim.finish ??= { startedAt: sentAt, acknowledgedAt: Number.POSITIVE_INFINITY };
    const reply = await this.send("PUT", `/wires/${claim.wire}/claim`, { token: claim.token, done: true });
    if (reply?.status === 200) this.world.ledger.finish(claim, sentAt);
    return reply !== undefined;
  }

  private async giveBack(claim: Claim): Promise<boolean> {
    claim.endedAt ??= now();
    const path = `/wires/${claim.wire}/claim?token=${encodeURIComponent(claim.token)}`;
    return (await this.send("DELETE", path)) !== undefined;
  }

  /** Finishes the claim with a reply, which is sent again if its response is lost. */
  private async reply(claim: Claim): Promise<boolean> {
    const { ledger } = this.world;
    const name = this.nextName();
    const to = `#${SPACES.queue}`;
    const reply = { name, sender: this.agent.slug, to, words: [], mentions: [], replyTo: claim.job };
    const sent = ledger.open(reply);
    const fields = { reply_to: claim.wire, claim_token: claim.token, done: true };
    claim.endedAt ??= sent.startedAt;
    claim.finish ??= { startedAt: sent.startedAt, acknowledgedAt: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < 2; attempt++) {
      const sentAt = now();
      const body = { to, text: name, payload: { name }, ...fields };
      const response = await this.send("POST", "/wires", body, name);
      if (response?.status === 201) {
        ledger.acknowledge(sent, response.body);
        ledger.finish(claim, sentAt);
        return true;
      }
      const isUnknown = !response || (response.status === 503 && this.options.unavailableIsUnknown);
      if (isUnknown) {
        ledger.counts.unknown++;
        sent.wasLost = true;
      } else {
        if (!sent.wasLost) sent.refused = true;
        ledger.counts.refused++;
        return true;
      }
      if (!this.options.survivesLoss) return false;
    }
    return false;
  }

  /** Records any status as a violation except success, 403 for a lost claim, 429 and 503. */
  private async send(method: string, path: string, body?: object, key?: string) {
    const { http, ledger } = this.world;
    const headers = key === undefined ? undefined : { "Idempotency-Key": key };
    const reply = await http.send(this.agent.key, method, path, body, headers);
    if (reply && reply.status >= 300 && ![403, 429, 503].includes(reply.status))
      ledger.violations.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  }
}
