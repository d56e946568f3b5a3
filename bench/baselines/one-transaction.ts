/**
 * The daemon with one transaction per request: each write waits for the previous commit. This is the only
 * difference from the normal daemon, which commits writes in groups.
 */
import { runDaemon } from "../../daemon/main.js";
import type { BatchedWrite, Transaction } from "../../src/store/engine/engine.js";
import { Writer } from "../../src/store/engine/sqlite/writer.js";

const inGroups = Writer.prototype.write;
let last: Promise<unknown> = Promise.resolve();

Writer.prototype.write = function <Result>(
  this: Writer,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const next = last.then(() => inGroups.call(this, work) as Promise<Result>);
  last = next.catch(() => undefined);
  return next;
};

Writer.prototype.writeBatched = function <Item, Result>(
  this: Writer,
  batch: BatchedWrite<Item, Result>,
  item: Item,
): Promise<Result> {
  return this.write(async (tx) => (await batch.run(tx, [item]))[0]!);
};

/** Parses the command-line flags that the benchmarks use. */
function flagsOf(args: readonly string[]) {
  const after = (flag: string) => args[args.indexOf(flag) + 1];
  const limit = args.filter((_value, n) => args[n - 1] === "--limit");
  return { port: after("--port"), dataDir: after("--data-dir"), limit };
}

process.exitCode = await runDaemon(flagsOf(process.argv));
