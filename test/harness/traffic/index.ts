/**
 * Message traffic through several daemons while a test injects faults into them. Senders write to inboxes and
 * to a space; checkers read concurrently and verify that every acknowledged wire is delivered.
 */

import { createSpace } from "../api-helpers.js";
import type { TestDaemon } from "../daemon.js";
import { FailoverClient, sleep } from "./failover-client.js";
import { DeliveryLedger } from "./ledger.js";
import { InboxReader, readFeed } from "./readers.js";
import { sendUntilAborted } from "./sender.js";

const RECIPIENTS = 3;
const SENDERS = 6;
/** Pause between the wires of one sender, in milliseconds. */
const SEND_INTERVAL_MS = 150;
/** Number of lanes of the sender that ignores rate limits. */
const FLOOD_CONCURRENCY = 6;

export interface Traffic {
  ledger: DeliveryLedger;
  /** Handle of the sender that ignores rate limits and sends without pauses. */
  floodingSender: string;
  /** Resolves once `count` more wires have been acknowledged. */
  waitForAcknowledged(count: number): Promise<void>;
  /**
   * Stops the senders, reads all inboxes and the feed to their end, and returns the violations of the whole
   * run.
   */
  stopAndVerify(): Promise<string[]>;
}

/**
 * Starts the senders, readers and checkers.
 *
 * @param name prefix of the agents' handles
 * @param daemons share one database
 * @param setupDaemon creates the agents; its clock must be correct
 */
export async function startTraffic(
  name: string,
  daemons: readonly TestDaemon[],
  setupDaemon: TestDaemon,
): Promise<Traffic> {
  const ledger = new DeliveryLedger();
  const stopping = new AbortController();
  const { signal } = stopping;
  const createAgents = (kind: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => setupDaemon.createAgent(`${name}-${kind}-${n}`)));
  const [recipients, senders, [floodingSender]] = await Promise.all([
    createAgents("reader", RECIPIENTS),
    createAgents("sender", SENDERS),
    createAgents("flood", 1),
  ]);
  const space = `${name}-space`;
  await createSpace(senders[0]!, space);

  const clientFor = (key: string) => new FailoverClient(daemons, ledger, key);
  const startCursors = await Promise.all(
    recipients.map(async (recipient) => (await recipient.get("/inbox")).body.next_cursor as string),
  );
  const createReaders = (limit: number) =>
    recipients.map(({ key }, n) => new InboxReader(clientFor(key), startCursors[n]!, limit));
  const readers = createReaders(7);
  const checkers = createReaders(100);
  const feedClient = clientFor(senders[1]!.key);

  const targets = [...recipients.map(({ slug }) => slug), `#${space}`];
  const sending = [
    ...senders.map(({ slug, key }, n) => {
      const rotatedTargets = [...targets.slice(n % targets.length), ...targets.slice(0, n % targets.length)];
      const stream = { name: slug, sender: slug, targets: rotatedTargets, intervalMs: SEND_INTERVAL_MS };
      return sendUntilAborted(ledger, clientFor(key), stream, signal);
    }),
    ...Array.from({ length: FLOOD_CONCURRENCY }, (_, n) => {
      const stream = {
        name: `${floodingSender!.slug}.${n}`,
        sender: floodingSender!.slug,
        targets,
        intervalMs: 0,
      };
      return sendUntilAborted(ledger, clientFor(floodingSender!.key), stream, signal);
    }),
  ];
  const reading = readers.map(async (reader, n) => {
    while (!signal.aborted) await reader.readPage(n);
  });

  /** Checks that every wire acknowledged before a read appears in that read, on every daemon. */
  const checkReads = async () => {
    for (const [n, checker] of checkers.entries()) {
      const acknowledged = ledger.acknowledgedTo(recipients[n]!.slug);
      const pageSize = await checker.readPage(0);
      // A full page: the checker has not reached the end of the inbox.
      if (pageSize === undefined || pageSize === 100) continue;
      expectAll(acknowledged, checker.received, recipients[n]!.slug);
    }
    const acknowledged = ledger.acknowledgedTo(`#${space}`);
    const feed = await readFeed(feedClient, space);
    if (feed) expectAll(acknowledged, feed, space);
  };
  const expectAll = (acknowledged: readonly string[], read: readonly { id: string }[], source: string) => {
    const ids = new Set(read.map(({ id }) => id));
    const missing = acknowledged.filter((id) => !ids.has(id)).length;
    if (missing > 0) ledger.violations.push(`${missing} acknowledged wires are missing in ${source}`);
  };
  const checking = (async () => {
    for (; !signal.aborted; await sleep(300)) await checkReads();
  })();

  return {
    ledger,
    floodingSender: floodingSender!.slug,
    async waitForAcknowledged(count) {
      const target = ledger.acknowledged.length + count;
      while (ledger.acknowledged.length < target) await sleep(20);
    },
    async stopAndVerify() {
      stopping.abort();
      await Promise.all([...sending, ...reading, checking]);
      const freshReaders = createReaders(100);
      for (const [n, { slug }] of recipients.entries()) {
        await Promise.all([readers[n]!.readToEnd(), freshReaders[n]!.readToEnd()]);
        ledger.checkDelivery(slug, readers[n]!.received);
        if (JSON.stringify(freshReaders[n]!.received) !== JSON.stringify(readers[n]!.received))
          ledger.violations.push(`the wires that ${slug} read during the faults differ from its inbox`);
      }
      let feed = await readFeed(feedClient, space);
      while (!feed) feed = await readFeed(feedClient, space);
      ledger.checkDelivery(`#${space}`, feed.reverse());
      return ledger.violations;
    },
  };
}
