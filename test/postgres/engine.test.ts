import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type BatchedWrite,
  StoreRefused,
  StoreUnavailable,
  type Transaction,
} from "../../src/store/engine/engine.js";
import type { ChangeEvent } from "../../src/store/engine/events.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { RowsParameter, sql } from "../../src/store/engine/sql.js";
import { createDatabase, createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let one: PostgresEngine;
let other: PostgresEngine;

beforeAll(async () => {
  url = await createDatabase();
  one = await PostgresEngine.open(url);
  other = await PostgresEngine.open(url);
  await one.write((tx) => tx.run("CREATE TABLE items (name text PRIMARY KEY, n bigint)"));
});
afterEach(() => one.write((tx) => tx.run("DELETE FROM items")));
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await dropDatabase(url);
});

const add = (tx: Transaction, name: string, n = 0) =>
  tx.run("INSERT INTO items (name, n) VALUES (?, ?)", [name, n]);
const numberOf = async (name: string) =>
  (await one.reader.get<{ n: number }>("SELECT n FROM items WHERE name = ?", [name]))?.n;
async function names(): Promise<string[]> {
  const rows = await one.reader.all<{ name: string }>("SELECT name FROM items ORDER BY name");
  return rows.map(({ name }) => name);
}
const increment = async (tx: Transaction) => {
  const row = await tx.get<{ n: number }>("SELECT n FROM items WHERE name = 'counter' FOR UPDATE");
  await tx.run("UPDATE items SET n = ? WHERE name = 'counter'", [row!.n + 1]);
};

describe("a stored value", () => {
  it("is returned unchanged: NUL, U+FFFF, any script, numbers and null; a boolean becomes 0 or 1", async () => {
    const texts = ["a\0b", "\uffff", "\uffff0", "\0\uffff1\0", "😀 ß 中", "\\u0000", "'?'", ""];
    for (const text of texts) {
      const row = await one.reader.get(
        "SELECT ?::text AS t, ?::bigint AS n, NULL AS x, 1 = 1 AS b, '?' AS q",
        [text, 2 ** 52],
      );
      expect(row).toEqual({ t: text, n: 2 ** 52, x: null, b: 1, q: "?" });
    }
  });

  it("is returned unchanged from a parameter of many rows, in order", async () => {
    const shape = new RowsParameter({ n: "integer", key: "text" });
    const rows = [
      [3, "a\0b"],
      [1, null],
      [null, '"\\\uffff'],
      [2, "x"],
    ] as const;
    const select = sql`SELECT n, key FROM ${shape.table("given")}`;
    expect(await one.reader.all(select, [shape.bind(rows)])).toEqual(rows.map(([n, key]) => ({ n, key })));
  });
});

describe("a transaction", () => {
  it("has no effect if it throws, and cannot be used after its end", async () => {
    let kept: Transaction | undefined;
    const failing = one.write(async (tx) => {
      kept = tx;
      await add(tx, "half");
      throw new Error("rolled back on purpose");
    });
    await expect(failing).rejects.toThrow("rolled back on purpose");
    await expect(kept!.all("SELECT 1")).rejects.toThrow("has ended");
    expect(await names()).toEqual([]);
  });

  it("is rolled back if a statement failed and the error was ignored", async () => {
    const careless = one.write(async (tx) => {
      await add(tx, "before");
      await tx.run("INSERT INTO nowhere VALUES (1)").catch(() => undefined);
    });
    await expect(careless).rejects.toThrow("nowhere");
    expect(await names()).toEqual([]);
  });

  it("runs effects and publishes events after the commit, and none after a failure", async () => {
    const heard: (ChangeEvent | undefined)[] = [];
    one.subscribe(["inbox", "status"], (event) => void (event && heard.push(event)));
    const effects: string[] = [];
    await one.write(async (tx) => {
      tx.afterCommit(() => effects.push("kept"));
      tx.publish({ topic: "inbox", handle: 1 });
    });
    await one
      .write(async (tx) => {
        tx.afterCommit(() => effects.push("dropped"));
        tx.publish({ topic: "inbox", handle: 2 });
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(effects).toEqual(["kept"]);
    expect(heard).toEqual([{ topic: "inbox", handle: 1 }]);
  });
});

describe("concurrent transactions of two daemons", () => {
  it("are retried if both insert the same unique value", async () => {
    let runs = 0;
    let readers = 0;
    let goOn: () => void = () => undefined;
    const twoHaveRead = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const addOnce = async (tx: Transaction) => {
      runs++;
      const row = await tx.get("SELECT 1 AS found FROM items WHERE name = 'same'");
      if (row) return "taken";
      if (++readers === 2) goOn();
      await twoHaveRead;
      await add(tx, "same");
      return "made";
    };
    const results = await Promise.all([one.write(addOnce), other.write(addOnce), other.write(addOnce)]);
    expect(results.sort()).toEqual(["made", "taken", "taken"]);
    expect(runs).toBeGreaterThan(3);
  });

  it("are retried after a deadlock", async () => {
    await one.write((tx) => add(tx, "a"));
    await one.write((tx) => add(tx, "b"));
    const incrementBoth = (first: string, second: string) => async (tx: Transaction) => {
      await tx.run("UPDATE items SET n = n + 1 WHERE name = ?", [first]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await tx.run("UPDATE items SET n = n + 1 WHERE name = ?", [second]);
    };
    await Promise.all([one.write(incrementBoth("a", "b")), other.write(incrementBoth("b", "a"))]);
    expect([await numberOf("a"), await numberOf("b")]).toEqual([2, 2]);
  });

  it("lose no increment of a counter that they lock", async () => {
    await one.write((tx) => add(tx, "counter"));
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? one : other).write(increment)));
    expect(await numberOf("counter")).toBe(60);
  });
});

describe("a batched write", () => {
  const addAll: BatchedWrite<string, string> = {
    async run(tx, items) {
      for (const name of items)
        await tx.run("INSERT INTO items (name, n) VALUES (?, 1 / ?)", [name, name === "bad" ? 0 : 1]);
      return items.map((name) => `${name} of ${items.length}`);
    },
  };

  it("shares a transaction between items, and returns the result of each item", async () => {
    const results = await Promise.all(["a", "b", "c"].map((name) => one.writeBatched(addAll, name)));
    expect(results).toEqual(["a of 3", "b of 3", "c of 3"]);
  });

  // [D2-write-turns]
  it("lets accounts take turns, and bounds the size of a batch", async () => {
    const sizes: number[] = [];
    const order: string[] = [];
    const named: BatchedWrite<string, undefined> = {
      async run(tx, items) {
        sizes.push(items.length);
        await tx.get("SELECT 1");
        return items.map(() => undefined);
      },
    };
    const send = (key: string, characters: number) =>
      one.writeBatched(named, key, { key, characters }).then(() => order.push(key));
    const busy = Array.from({ length: 20 }, () => send("busy", 200_000));
    await Promise.all([...busy, send("other", 1_000)]);
    // Two batches begin at the same time, in any order.
    expect(sizes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 1), 2]);
    expect(order.slice(0, 8)).toContain("other");
  });

  it("is repeated item by item if one item fails", async () => {
    const results = await Promise.allSettled(["a", "bad", "c"].map((name) => one.writeBatched(addAll, name)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await names()).toEqual(["a", "c"]);
  });
});

describe("connections that are cut", () => {
  const cutAll = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await client.end();
  };

  it("make their transactions fail as unavailable, and are replaced", async () => {
    const cut = one.write(async (tx) => {
      await add(tx, "lost");
      await cutAll();
      await add(tx, "after");
    });
    await expect(cut).rejects.toThrow(StoreUnavailable);
    await expect.poll(() => names().catch(() => "not yet"), { timeout: 10_000 }).toEqual([]);
    await one.write((tx) => add(tx, "again"));
    expect(await names()).toEqual(["again"]);
  });

  it("delay change events only briefly", async () => {
    const heard: string[] = [];
    other.subscribe(["inbox", "status"], (event) => void heard.push(event ? event.topic : "look"));
    await cutAll();
    await expect.poll(() => heard, { timeout: 10_000 }).toContain("look");
    await expect
      .poll(
        async () => {
          await one.write(async (tx) => tx.publish({ topic: "status", handle: 7 })).catch(() => undefined);
          return heard;
        },
        { timeout: 20_000 },
      )
      .toContain("status");
  });
});

describe("the migrations", () => {
  it("run once if several daemons start concurrently", async () => {
    const empty = await createEmptyDatabase();
    const engines = await Promise.all([1, 2, 3].map(() => PostgresEngine.open(empty)));
    const rows = await engines[0]!.reader.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    await Promise.all(engines.map((engine) => engine.close()));
    await dropDatabase(empty);
  });

  it("of the next version do not prevent the start of this version, unless they require it", async () => {
    const insertMigrationOfNextVersion = (needs: number) =>
      one.write((tx) =>
        tx.run("INSERT INTO migrations (id, name, applied_at, needs) VALUES (9001, 'later', 0, ?)", [needs]),
      );
    await insertMigrationOfNextVersion(1);
    await (await PostgresEngine.open(url)).close();
    await one.write((tx) => tx.run("UPDATE migrations SET needs = 9001 WHERE id = 9001"));
    await expect(PostgresEngine.open(url)).rejects.toThrow(StoreRefused);
    await expect(PostgresEngine.open(url)).rejects.toThrow("newer version of Wireroom (migration 9001)");
    await one.write((tx) => tx.run("DELETE FROM migrations WHERE id = 9001"));
  });
});

describe("a database URL", () => {
  it("is rejected in one line with the reason and without the password", async () => {
    const wrong = new URL(url);
    wrong.password = "secret-word";
    const refusals = [
      "postgres://[",
      wrong.href,
      url.replace(/\/[^/]*$/, "/no_such_database"),
      `${url}?pool_max_conns=one`,
    ];
    for (const refused of refusals) {
      const error = await PostgresEngine.open(refused).catch((reason: Error) => reason);
      expect(error).toBeInstanceOf(StoreRefused);
      expect((error as Error).message).not.toContain("secret-word");
    }
  });
});
