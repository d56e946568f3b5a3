import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BatchedRead,
  type BatchedWrite,
  StoreRefused,
  StoreUnavailable,
  type Transaction,
} from "../../src/store/engine/engine.js";
import { EventBus } from "../../src/store/engine/events.js";
import { RowsParameter } from "../../src/store/engine/sql.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import { Writer } from "../../src/store/engine/sqlite/writer.js";
import { createStatistics } from "../../src/store/engine/statistics.js";
import { openStore } from "../../src/store/index.js";

let folder: string;
let engine: SqliteEngine;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-store-"));
  engine = await SqliteEngine.open(join(folder, "test.db"));
  await engine.write((tx) => tx.run("CREATE TABLE items (name TEXT PRIMARY KEY) STRICT"));
});
afterEach(async () => {
  await engine.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const add = (tx: Transaction, name: string) => tx.run("INSERT INTO items (name) VALUES (?)", [name]);
const addLater = (name: string) => engine.write((tx) => add(tx, name));
async function items(): Promise<string[]> {
  const rows = await engine.reader.all<{ name: string }>("SELECT name FROM items ORDER BY name");
  return rows.map(({ name }) => name);
}
const outcomes = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status);

describe("group commit", () => {
  it("isolates jobs: a failed job has no effect, and the others commit", async () => {
    const failing = engine.write(async (tx) => {
      await add(tx, "half");
      await add(tx, "half");
    });
    const throwing = engine.write(async (tx) => {
      await add(tx, "thrown");
      throw new Error("rolled back on purpose");
    });
    const results = await outcomes([addLater("a"), failing, addLater("b"), throwing, addLater("c")]);
    expect(results).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(await items()).toEqual(["a", "b", "c"]);
  });

  it("rejects each job with its own error", async () => {
    await addLater("taken");
    await expect(addLater("taken")).rejects.toThrow("UNIQUE");
    await expect(engine.write(() => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
  });

  it("shows a job the writes of earlier jobs, and readers only committed rows", async () => {
    const seen: number[] = [];
    let read: Promise<string[]> | undefined;
    const count = async (tx: Transaction) => seen.push((await tx.all("SELECT name FROM items")).length);
    await Promise.all([
      addLater("a"),
      engine.write(async (tx) => {
        await count(tx);
        read = items();
        expect(await read).toEqual([]);
      }),
      addLater("b"),
      engine.write(count),
    ]);
    expect(seen).toEqual([1, 2]);
    expect(await items()).toEqual(["a", "b"]);
  });

  it("keeps the order of jobs across batches", async () => {
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        engine.write(async (tx) => {
          await add(tx, `n-${n}`);
          tx.afterCommit(() => order.push(n));
        }),
      ),
    );
    expect(order).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(await items()).toHaveLength(1_000);
  });

  it("lets keys take turns: many slow jobs of one key do not delay the jobs of another", async () => {
    let done = 0;
    const slow = Array.from({ length: 60 }, (_, n) =>
      engine.write(async (tx) => {
        await add(tx, `slow-${n}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        done++;
      }, "busy"),
    );
    await slow[0];
    for (const name of ["a", "b"]) await engine.write((tx) => add(tx, name), "other");
    expect(done).toBeLessThan(40);
    await Promise.all(slow);
    expect(await items()).toHaveLength(62);
  });

  it("runs exclusive work after the running transaction, even if writes always wait", async () => {
    const connection = await Connection.open(join(folder, "busy.db"));
    const writer = new Writer(connection, new EventBus(), createStatistics());
    let written = 0;
    // Each write enqueues the next one, so that the queue is never empty.
    const writeOn = async (): Promise<void> => {
      let next: Promise<void> | undefined;
      await writer.write(async () => {
        written++;
        if (written < 100) next = writeOn();
      });
      await next;
    };
    const all = writeOn();
    let before: number | undefined;
    await writer.runExclusively(async () => {
      before = written;
    });
    await all;
    expect(written).toBe(100);
    expect(before).toBeLessThan(5);
    await connection.close();
  });

  it("isolates a job whose first statements were queued", async () => {
    const failing = engine.write(async (tx) => {
      await Promise.all(["one", "two", "three", "four"].map((name) => add(tx, name)));
      throw new Error("none of them");
    });
    expect(await outcomes([addLater("a"), failing, addLater("b")])).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await items()).toEqual(["a", "b"]);
  });
});

describe("a queued statement", () => {
  const ONE = "INSERT INTO items (name) SELECT name FROM ";
  const names = new RowsParameter({ name: "text" });
  const adding: BatchedWrite<string, string> = {
    async run(tx, given) {
      tx.afterCommit(() => committed.push(given));
      tx.enqueue(`${ONE}${names.table("given").sqlite}`, [names.bind(given.map((name) => [name]))]);
      return given.map((name) => `${name} is there`);
    },
  };
  let committed: (readonly string[])[];
  beforeEach(() => {
    committed = [];
  });
  const addBatched = (name: string) => engine.writeBatched(adding, name);

  it("is durable with its transaction", async () => {
    const done = await Promise.all(["a", "b"].map(addBatched));
    expect(done).toEqual(["a is there", "b is there"]);
    expect(committed).toEqual([["a", "b"]]);
    expect(await items()).toEqual(["a", "b"]);
  });

  it("has no effect if it fails, while the rest of the batch is stored", async () => {
    await addLater("taken");
    expect(await outcomes(["a", "taken", "b"].map(addBatched))).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(committed).toEqual([["a"], ["b"]]);
    expect(await items()).toEqual(["a", "b", "taken"]);
  });

  it("belongs to the transaction that it shares with others", async () => {
    const failing = engine.write(async (tx) => {
      await add(tx, "half");
      throw new Error("rolled back on purpose");
    });
    const results = await outcomes([addBatched("a"), failing, addLater("b"), addBatched("c")]);
    expect(results).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(await items()).toEqual(["a", "b", "c"]);
  });

  it("runs before the next statement of its transaction, in the order of queueing", async () => {
    const going: BatchedWrite<string, void> = {
      async run(tx, given) {
        tx.enqueue("INSERT INTO items (name) VALUES (?)", [given[0]!]);
        tx.enqueue("INSERT INTO items (name) SELECT name || ' again' FROM items");
        expect(await tx.all("SELECT name FROM items ORDER BY name")).toEqual([
          { name: "a" },
          { name: "a again" },
        ]);
        tx.enqueue("DELETE FROM items WHERE name = 'a again'");
        return [undefined];
      },
    };
    await engine.writeBatched(going, "a");
    expect(await items()).toEqual(["a"]);
  });
});

describe("a parameter of many rows", () => {
  it("returns long texts, any character and null unchanged", async () => {
    const rows = new RowsParameter({ name: "text", n: "integer", other: "text" });
    const given = [
      ["", 1, null],
      ['plain, "quoted" and \\escaped', 2, "x".repeat(10_000)],
      [null, 3, "ünï→😀"],
      ["😀 first", 4, "last\n"],
    ] as const;
    const read = await engine.reader.all(`SELECT name, n, other FROM ${rows.table("given").sqlite}`, [
      rows.bind(given),
    ]);
    expect(read).toEqual(given.map(([name, n, other]) => ({ name, n, other })));
  });
});

describe("a transaction", () => {
  it("throws when it is used after a commit or a failure", async () => {
    let kept: Transaction | undefined;
    await engine.write(async (tx) => {
      kept = tx;
    });
    await expect(add(kept!, "late")).rejects.toThrow("has ended");
    await expect(kept!.all("SELECT 1")).rejects.toThrow("has ended");
    await engine
      .write(async (tx) => {
        kept = tx;
        throw new Error("failed");
      })
      .catch(() => undefined);
    await expect(kept!.get("SELECT 1")).rejects.toThrow("has ended");
    expect(await items()).toEqual([]);
  });

  it("runs its effects after the commit, and none after a failure", async () => {
    const effects: string[] = [];
    await engine.write(async (tx) => {
      await add(tx, "kept");
      tx.afterCommit(() => effects.push("kept"));
      expect(effects).toEqual([]);
    });
    await engine
      .write(async (tx) => {
        tx.afterCommit(() => effects.push("dropped"));
        await add(tx, "kept");
      })
      .catch(() => undefined);
    expect(effects).toEqual(["kept"]);
  });

  it("runs no effect if the whole batch cannot be committed", async () => {
    const effects: string[] = [];
    const job = (name: string) =>
      engine.write(async (tx) => {
        await add(tx, name);
        tx.afterCommit(() => effects.push(name));
      });
    const gone = engine.write(() => Promise.reject(new StoreUnavailable("the disk is full")));
    expect(await outcomes([job("a"), gone, job("b")])).toEqual(["rejected", "rejected", "rejected"]);
    expect(effects).toEqual([]);
    expect(await items()).toEqual([]);
    await job("c");
    expect(await items()).toEqual(["c"]);
  });
});

describe("a batched write", () => {
  const runs: number[] = [];
  const insert: BatchedWrite<string, string> = {
    async run(tx, names) {
      runs.push(names.length);
      for (const name of names) {
        await add(tx, name);
        tx.afterCommit(() => undefined);
      }
      return names.map((name) => `added ${name}`);
    },
  };
  beforeEach(() => {
    runs.length = 0;
  });

  it("passes items that arrive together to one run, and returns results in their order", async () => {
    const names = Array.from({ length: 50 }, (_, n) => `n-${n}`);
    const results = await Promise.all(names.map((name) => engine.writeBatched(insert, name)));
    expect(results).toEqual(names.map((name) => `added ${name}`));
    expect(runs).toEqual([50]);
  });

  it("that fails is retried item by item: only failing items reject, and no item is written twice", async () => {
    await addLater("taken");
    const names = ["a", "taken", "b", "taken", "c"];
    const results = await Promise.allSettled(names.map((name) => engine.writeBatched(insert, name)));
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(runs).toEqual([5, 1, 1, 1, 1, 1]);
    expect(await items()).toEqual(["a", "b", "c", "taken"]);
  });

  it("accepts more items than one batch contains", async () => {
    const names = Array.from({ length: 700 }, (_, n) => `n-${n}`);
    await Promise.all(names.map((name) => engine.writeBatched(insert, name)));
    expect(runs.reduce((sum, size) => sum + size, 0)).toBe(700);
    expect(Math.max(...runs)).toBeLessThanOrEqual(256);
    expect(await items()).toHaveLength(700);
  });

  // [D2-write-turns]
  it("lets accounts take turns, and bounds the size of a batch", async () => {
    const batches: string[] = [];
    const named: BatchedWrite<string, undefined> = {
      async run(tx, names) {
        await tx.get("SELECT 1");
        batches.push(names.join(" "));
        return names.map(() => undefined);
      },
    };
    const send = (key: string, characters: number) => engine.writeBatched(named, key, { key, characters });
    const busy = Array.from({ length: 4 }, () => send("busy", 100_000));
    await Promise.all([
      ...busy,
      send("huge", 1_000_000),
      send("a", 1_000),
      send("a", 1_000),
      send("b", 1_000),
    ]);
    // A write that does not fit into a batch is the first of the next one.
    expect(batches).toEqual(["busy a b busy a", "huge", "busy busy"]);
  });

  // [D2-write-turns]
  it("takes turns with the other writes, however many wait", async () => {
    const order: string[] = [];
    const one: BatchedWrite<number, undefined> = {
      async run(_tx, items) {
        order.push("batch");
        return items.map(() => undefined);
      },
    };
    const large = { key: "busy", characters: 1_000_000 };
    const batched = Array.from({ length: 5 }, (_, n) => engine.writeBatched(one, n, large));
    await Promise.all([...batched, engine.write(async () => void order.push("single"), "other")]);
    expect(order).toEqual(["batch", "single", "batch", "batch", "batch", "batch"]);
  });

  it("lets its items wait, for all to see, until their transaction begins", async () => {
    const waiting: boolean[] = [];
    const batch: BatchedWrite<number, undefined> = {
      async run(tx, items) {
        await tx.get("SELECT 1");
        waiting.push(engine.backlogMs.write() > 0);
        return items.map(() => undefined);
      },
    };
    await Promise.all(Array.from({ length: 600 }, (_, n) => engine.writeBatched(batch, n)));
    expect(waiting).toEqual([true, true, false]);
    expect(engine.backlogMs.write()).toBe(0);
  });

  it("is no standing queue if two kinds take turns, and each waits for one transaction", async () => {
    const started = performance.now();
    const calls: Promise<unknown>[] = [];
    const backlogMs: number[] = [];
    // While a transaction of a kind runs, the next call of that kind arrives.
    const kindOf = () => {
      const kind: BatchedWrite<number, undefined> = {
        async run(tx, items) {
          if (performance.now() - started < 500) calls.push(engine.writeBatched(kind, 1));
          await tx.get("SELECT 1");
          await sleep(2);
          backlogMs.push(engine.backlogMs.write());
          return items.map(() => undefined);
        },
      };
      return kind;
    };
    calls.push(engine.writeBatched(kindOf(), 1), engine.writeBatched(kindOf(), 1));
    for (const call of calls) await call;
    // A standing queue would grow for 500 ms. A busy machine makes single samples long.
    backlogMs.sort((a, b) => a - b);
    expect(backlogMs[Math.floor(backlogMs.length / 2)]).toBeLessThan(100);
  });

  it("rejects as a whole without a retry if the store is unavailable", async () => {
    const broken: BatchedWrite<string, string> = {
      async run(tx, names) {
        runs.push(names.length);
        await add(tx, names[0]!);
        throw new StoreUnavailable("the disk is full");
      },
    };
    const work = ["a", "b"].map((name) => engine.writeBatched(broken, name));
    for (const result of await Promise.allSettled(work)) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    expect(runs).toEqual([2]);
    expect(await items()).toEqual([]);
  });
});

describe("coalesced reads", () => {
  it("share statements and keep the order of their items", async () => {
    const runs: number[] = [];
    const echo: BatchedRead<number, number> = {
      async run(session, numbers) {
        runs.push(numbers.length);
        const rows = await session.all<{ value: number }>("SELECT value FROM json_each(?)", [
          JSON.stringify(numbers),
        ]);
        return rows.map(({ value }) => value);
      },
    };
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => engine.readBatched(echo, n)))).toEqual(numbers);
    expect(runs.length).toBeLessThan(10);
    expect(await engine.readBatched(echo, 7)).toBe(7);
  });

  it("reject only the callers of the failed read; later reads succeed", async () => {
    let broken = true;
    const flaky: BatchedRead<number, number> = {
      run: async (_session, numbers) => {
        if (broken) throw new Error("not now");
        return [...numbers];
      },
    };
    const results = await Promise.allSettled([1, 2].map((n) => engine.readBatched(flaky, n)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    broken = false;
    expect(await engine.readBatched(flaky, 3)).toBe(3);
  });

  it("reject only the item that fails; others of its batch succeed", async () => {
    const choosy: BatchedRead<number, number> = {
      async run(session, numbers) {
        await session.all("SELECT 1");
        if (numbers.includes(13)) throw new Error("an unlucky number");
        return [...numbers];
      },
    };
    const results = await Promise.allSettled([12, 13, 14].map((n) => engine.readBatched(choosy, n)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("cannot write", async () => {
    await expect(engine.reader.run("INSERT INTO items VALUES ('x')")).rejects.toThrow();
    expect(await items()).toEqual([]);
  });
});

describe("closing a store", () => {
  it("waits for current writes and rejects later ones", async () => {
    const early = Array.from({ length: 300 }, (_, n) => addLater(`n-${n}`));
    const closed = engine.close();
    await expect(addLater("late")).rejects.toBeInstanceOf(StoreUnavailable);
    expect(new Set(await outcomes(early))).toEqual(new Set(["fulfilled"]));
    await closed;
    engine = await SqliteEngine.open(join(folder, "test.db"));
    expect(await items()).toHaveLength(300);
  });

  it("releases its lock: one engine at a time can open the file", async () => {
    const file = join(folder, "test.db");
    const second = SqliteEngine.open(file);
    await expect(second).rejects.toBeInstanceOf(StoreRefused);
    await expect(second).rejects.toThrow(`another daemon is running on ${file}`);
    await addLater("still works");
    await engine.close();
    engine = await SqliteEngine.open(file);
    expect(await items()).toEqual(["still works"]);
  });
});

it("writes its marker once at a time, so that a slow start and the first check of the log do not meet", async () => {
  const store = await openStore(`sqlite:${join(folder, "marked.db")}`);
  const written = Array.from({ length: 20 }, () => store.engine.recordProgress());
  expect(new Set(await outcomes(written))).toEqual(new Set(["fulfilled"]));
  await store.engine.close();
});
