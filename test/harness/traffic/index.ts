/**
 * Agents that write to each other and to a space through several daemons at once, while these are harmed, and a checker
 * that runs beside them and knows what was acknowledged.
 */
import type { TestDaemon } from "../daemon.js";
import { createSpace } from "../talk.js";
import { Asker, pause } from "./ask.js";
import { Ledger } from "./ledger.js";
import { InboxReader, readFeed } from "./read.js";
import { sendOn } from "./send.js";

const RECIPIENTS = 3;
const SENDERS = 6;
/** Pause between the wires of one sender, in milliseconds. */
const EVERY = 150;
/** Requests that the sender which heeds no limit has under way. */
const HAMMERING = 6;

export interface Traffic {
  ledger: Ledger;
  /** The sender that sends as fast as it can. */
  hammer: string;
  /** Resolves once so many more wires have been acknowledged. */
  more(count: number): Promise<void>;
  /** Lets everyone finish, reads everything to its end, and gives what is wrong. */
  finish(): Promise<string[]>;
}

/** @param name of the agents, before a number @param at asked for agents; its clock must be right */
export async function startTraffic(
  name: string,
  daemons: readonly TestDaemon[],
  at: TestDaemon,
): Promise<Traffic> {
  const ledger = new Ledger();
  const stopping = new AbortController();
  const { signal } = stopping;
  const agents = (kind: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => at.agent(`${name}-${kind}-${n}`)));
  const [recipients, senders, [hammer]] = await Promise.all([
    agents("reader", RECIPIENTS),
    agents("sender", SENDERS),
    agents("hammer", 1),
  ]);
  const space = `${name}-space`;
  await createSpace(senders[0]!, space);

  const askerOf = (key: string) => new Asker(daemons, ledger, key);
  const starts = await Promise.all(
    recipients.map(async (recipient) => (await recipient.get("/inbox")).body.next_cursor as string),
  );
  const readersOf = (limit: number) =>
    recipients.map(({ key }, n) => new InboxReader(askerOf(key), starts[n]!, limit));
  const readers = readersOf(7);
  const auditors = readersOf(100);
  const watcher = askerOf(senders[1]!.key);

  const targets = [...recipients.map(({ slug }) => slug), `#${space}`];
  const sending = [
    ...senders.map(({ slug, key }, n) => {
      const turned = [...targets.slice(n % targets.length), ...targets.slice(0, n % targets.length)];
      const lane = { name: slug, sender: slug, targets: turned, every: EVERY };
      return sendOn(ledger, askerOf(key), lane, signal);
    }),
    ...Array.from({ length: HAMMERING }, (_, n) => {
      const lane = { name: `${hammer!.slug}.${n}`, sender: hammer!.slug, targets, every: 0 };
      return sendOn(ledger, askerOf(hammer!.key), lane, signal);
    }),
  ];
  const reading = readers.map(async (reader, n) => {
    while (!signal.aborted) await reader.pull(n);
  });

  /** What was acknowledged before a reading began must be in it, whichever daemon is read from. */
  const audit = async () => {
    for (const [n, auditor] of auditors.entries()) {
      const due = ledger.to(recipients[n]!.slug);
      const left = await auditor.pull(0);
      if (left === undefined || left === 100) continue;
      expectAll(due, auditor.seen, recipients[n]!.slug);
    }
    const due = ledger.to(`#${space}`);
    const feed = await readFeed(watcher, space);
    if (feed) expectAll(due, feed, space);
  };
  const expectAll = (due: readonly string[], seen: readonly { id: string }[], where: string) => {
    const ids = new Set(seen.map(({ id }) => id));
    const missing = due.filter((id) => !ids.has(id)).length;
    if (missing > 0) ledger.wrong.push(`${missing} acknowledged wires were not yet to be read in ${where}`);
  };
  const auditing = (async () => {
    for (; !signal.aborted; await pause(300)) await audit();
  })();

  return {
    ledger,
    hammer: hammer!.slug,
    async more(count) {
      const enough = ledger.acknowledged.length + count;
      while (ledger.acknowledged.length < enough) await pause(20);
    },
    async finish() {
      stopping.abort();
      await Promise.all([...sending, ...reading, auditing]);
      const again = readersOf(100);
      for (const [n, { slug }] of recipients.entries()) {
        await Promise.all([readers[n]!.toTheEnd(), again[n]!.toTheEnd()]);
        ledger.checkLog(slug, readers[n]!.seen);
        if (JSON.stringify(again[n]!.seen) !== JSON.stringify(readers[n]!.seen))
          ledger.wrong.push(`${slug} read something else than stands in its inbox`);
      }
      let feed = await readFeed(watcher, space);
      while (!feed) feed = await readFeed(watcher, space);
      ledger.checkLog(`#${space}`, feed.reverse());
      return ledger.wrong;
    },
  };
}
