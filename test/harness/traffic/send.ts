import { type Asker, pause } from "./ask.js";
import type { Ledger, Sending } from "./ledger.js";

/**
 * Sends one wire after the other, each under an idempotency key and until there is an answer, through whichever daemon.
 * What a limit refuses is given up. Ends once told to, with nothing left in doubt.
 */
export async function sendOn(
  ledger: Ledger,
  asker: Asker,
  lane: { name: string; sender: string; targets: readonly string[]; every: number },
  signal: AbortSignal,
): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const name = `${lane.name}.${n}`;
    const to = lane.targets[n % lane.targets.length]!;
    const begunAt = performance.now();
    const sending = { name, lane: lane.name, n, sender: lane.sender, to, begunAt };
    const sent = await sendOnce(asker, sending);
    if (sent) ledger.acknowledge(sent);
    else ledger.refused.add(lane.sender);
    await pause(sent ? lane.every : Math.max(lane.every, 50));
  }
}

async function sendOnce(
  asker: Asker,
  sending: Omit<Sending, "doneAt" | "id" | "by">,
): Promise<Sending | undefined> {
  const { name, to } = sending;
  for (;;) {
    const answer = await asker.ask("POST", "/wires", { to, text: name }, { "Idempotency-Key": name });
    if (answer?.status === 429) return undefined;
    if (answer) return { ...sending, doneAt: performance.now(), id: answer.body.id, by: answer.by };
  }
}
