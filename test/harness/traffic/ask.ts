/** Requests of agents to whichever daemon: one that is harmed may refuse or vanish, and then another is asked. */
import type { Body, TestDaemon } from "../daemon.js";
import type { Ledger } from "./ledger.js";

/** Longer than a daemon takes to give up a database that does not answer. */
const PATIENCE = 30_000;

export interface Answer {
  status: number;
  body: Body;
  /** Number of the daemon. */
  by: number;
}

export class Asker {
  private turn = Math.floor(Math.random() * 3);

  constructor(
    private readonly daemons: readonly TestDaemon[],
    private readonly ledger: Ledger,
    private readonly key: string,
  ) {}

  /** Asks the next daemon. `undefined` where it was unavailable, or there was no answer at all; the next call asks another. */
  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const by = this.turn++ % this.daemons.length;
    try {
      const response = await fetch(`${this.daemons[by]!.base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE),
      });
      const answer: Answer = { status: response.status, body: await response.json(), by };
      if (response.ok || answer.status === 429) return answer;
      if (answer.status !== 503)
        this.ledger.wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    } catch (error) {
      if (!(error instanceof TypeError) && (error as Error).name !== "TimeoutError") throw error;
    }
    this.ledger.unanswered[by] = (this.ledger.unanswered[by] ?? 0) + 1;
    await pause(100);
    return undefined;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
