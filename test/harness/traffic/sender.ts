/** Sends wires through several daemons, and retries each wire until a daemon acknowledges it. */
import { type FailoverClient, sleep } from "./failover-client.js";
import type { DeliveryLedger, SentWire } from "./ledger.js";

/** Much shorter than a rate limit's window, so that a sender still ignores its limit. */
const AFTER_REFUSAL_MS = 250;

/** A sequence of wires that one sender sends one after the other. */
export interface Stream {
  name: string;
  sender: string;
  /** Recipients, in turn. */
  targets: readonly string[];
  /** Pause after each wire. */
  intervalMs: number;
}

/**
 * Sends the wires of a stream until `signal` is aborted. Each wire has an idempotency key and is retried
 * until a daemon acknowledges it. A wire that gets a 429 response is not retried. Adds each acknowledged wire
 * to the ledger.
 */
export async function sendUntilAborted(
  ledger: DeliveryLedger,
  client: FailoverClient,
  { name: stream, sender, targets, intervalMs }: Stream,
  signal: AbortSignal,
): Promise<void> {
  for (let sequence = 0; !signal.aborted; sequence++) {
    const name = `${stream}.${sequence}`;
    const to = targets[sequence % targets.length]!;
    const startedAt = performance.now();
    const sent = await sendUntilAcknowledged(client, { name, stream, sequence, sender, to, startedAt });
    if (sent) ledger.addAcknowledged(sent);
    else ledger.rateLimitedSenders.add(sender);
    await sleep(sent ? intervalMs : Math.max(intervalMs, AFTER_REFUSAL_MS));
  }
}

/** Returns `undefined` if a rate limit rejected the wire. */
async function sendUntilAcknowledged(
  client: FailoverClient,
  wire: Omit<SentWire, "acknowledgedAt" | "id" | "daemonIndex">,
): Promise<SentWire | undefined> {
  const { name, to } = wire;
  for (;;) {
    const response = await client.request("POST", "/wires", { to, text: name }, { "Idempotency-Key": name });
    if (response?.status === 429) return undefined;
    if (!response) continue;
    const { body, daemonIndex } = response;
    return { ...wire, acknowledgedAt: performance.now(), id: body.id, daemonIndex };
  }
}
