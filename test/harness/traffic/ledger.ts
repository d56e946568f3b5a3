/** What was sent, what was acknowledged, and what was found to be wrong. */

const MINUTE = 60_000;

/** A wire that a sender means to send once, whatever happens. */
export interface Sending {
  /** Also its idempotency key and its text. */
  name: string;
  /** Numbers what one lane of a sender sends, one after the other. */
  lane: string;
  n: number;
  sender: string;
  to: string;
  /** When it was first asked for, and when its answer was there. */
  begunAt: number;
  doneAt: number;
  id: string;
  /** Number of the daemon that acknowledged it. */
  by: number;
}

export class Ledger {
  readonly acknowledged: Sending[] = [];
  /** Sentences about what must not be. */
  readonly wrong: string[] = [];
  /** Senders that a limit refused something. */
  readonly refused = new Set<string>();
  /** Answers by daemon: of 503, and of none at all. */
  readonly unanswered: number[] = [];

  acknowledge(sending: Sending): void {
    this.acknowledged.push(sending);
  }

  /** Ids of what was acknowledged to a recipient by now. */
  to(recipient: string): string[] {
    return this.acknowledged.filter(({ to }) => to === recipient).map(({ id }) => id);
  }

  /** How many were acknowledged by a daemon since. */
  by(daemon: number, since = 0): number {
    return this.acknowledged.filter(({ by, doneAt }) => by === daemon && doneAt >= since).length;
  }

  /** How many of a sender were for certain stored within less than a minute: the most there were. */
  mostInAMinute(sender: string): number {
    const sent = this.acknowledged.filter((sending) => sending.sender === sender);
    return Math.max(
      0,
      ...sent.map(
        ({ begunAt }) =>
          sent.filter((other) => other.begunAt >= begunAt && other.doneAt < begunAt + MINUTE).length,
      ),
    );
  }

  /** A recipient's log, in its order: each acknowledged wire once, nothing else, each lane's in the order of its answers. */
  checkLog(recipient: string, log: readonly { id: string; text: string }[]): void {
    const due = new Map(
      this.acknowledged.filter(({ to }) => to === recipient).map((sending) => [sending.id, sending]),
    );
    const found = new Set(log.map(({ id }) => id));
    for (const { name } of [...due.values()].filter(({ id }) => !found.has(id)))
      this.wrong.push(`${name} is not there`);
    if (found.size < log.length)
      this.wrong.push(`${log.length - found.size} of ${recipient}'s wires are there twice`);
    const last = new Map<string, number>();
    for (const { id, text } of log) {
      const sending = due.get(id);
      if (sending === undefined) this.wrong.push(`${text} was never acknowledged to ${recipient}`);
      else if ((last.get(sending.lane) ?? -1) > sending.n) this.wrong.push(`${text} is out of order`);
      else last.set(sending.lane, sending.n);
    }
  }
}
