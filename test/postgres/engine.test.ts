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
import { RowsOf, written } from "../../src/store/engine/sql.js";
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

describe("a value", () => {
  it("comes back as it was given: NUL, U+FFFF, any script, numbers, null, truth as 0 and 1", async () => {
    const texts = ["a\0b", "\uffff", "\uffff0", "\0\uffff1\0", "😀 ß 中", "\\u0000", "'?'", ""];
    for (const text of texts) {
      const row = await one.reader.get(
        "SELECT ?::text AS t, ?::bigint AS n, NULL AS x, 1 = 1 AS b, '?' AS q",
        [text, 2 ** 52],
      );
      expect(row).toEqual({ t: text, n: 2 ** 52, x: null, b: 1, q: "?" });
    }
  });

  it("goes in rows too, in their order", async () => {
    const shape = new RowsOf({ n: "integer", key: "text" });
    const rows = [
      [3, "a\0b"],
      [1, null],
      [null, '"\\\uffff'],
      [2, "x"],
    ] as const;
    const sql = written((engine) => `SELECT n, key FROM ${shape.as(engine, "given")}`);
    expect(await one.reader.all(sql, [shape.bind(rows)])).toEqual(rows.map(([n, key]) => ({ n, key })));
  });
});

describe("a transaction", () => {
  it("leaves no trace where it throws, and is of no use afterwards", async () => {
    let kept: Transaction | undefined;
    const failing = one.write(async (tx) => {
      kept = tx;
      await add(tx, "half");
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await expect(kept!.all("SELECT 1")).rejects.toThrow("has ended");
    expect(await names()).toEqual([]);
  });

  it("commits nothing where the failure of a statement was passed over", async () => {
    const careless = one.write(async (tx) => {
      await add(tx, "before");
      await tx.run("INSERT INTO nowhere VALUES (1)").catch(() => undefined);
    });
    await expect(careless).rejects.toThrow("nowhere");
    expect(await names()).toEqual([]);
  });

  it("tells effects and news after it is durable, and none of one that failed", async () => {
    const heard: (ChangeEvent | undefined)[] = [];
    one.subscribe(["inbox", "standing"], (event) => void (event && heard.push(event)));
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

describe("transactions of two daemons", () => {
  it("are run again where both store what neither saw", async () => {
    let runs = 0;
    const addOnce = async (tx: Transaction) => {
      runs++;
      const row = await tx.get("SELECT 1 AS found FROM items WHERE name = 'same'");
      if (row) return "taken";
      await new Promise((resolve) => setTimeout(resolve, 100));
      await add(tx, "same");
      return "made";
    };
    const results = await Promise.all([one.write(addOnce), other.write(addOnce), other.write(addOnce)]);
    expect(results.sort()).toEqual(["made", "taken", "taken"]);
    expect(runs).toBeGreaterThan(3);
  });

  it("are run again where they wait for each other", async () => {
    await one.write((tx) => add(tx, "a"));
    await one.write((tx) => add(tx, "b"));
    const touch = (first: string, second: string) => async (tx: Transaction) => {
      await tx.run("UPDATE items SET n = n + 1 WHERE name = ?", [first]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await tx.run("UPDATE items SET n = n + 1 WHERE name = ?", [second]);
    };
    await Promise.all([one.write(touch("a", "b")), other.write(touch("b", "a"))]);
    expect([await numberOf("a"), await numberOf("b")]).toEqual([2, 2]);
  });

  it("lose no step of a counter that they lock", async () => {
    await one.write((tx) => add(tx, "counter"));
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? one : other).write(increment)));
    expect(await numberOf("counter")).toBe(60);
  });
});

describe("a batch", () => {
  const addAll: BatchedWrite<string, string> = {
    async run(tx, items) {
      for (const name of items)
        await tx.run("INSERT INTO items (name, n) VALUES (?, 1 / ?)", [name, name === "bad" ? 0 : 1]);
      return items.map((name) => `${name} of ${items.length}`);
    },
  };

  it("shares a transaction, and gives each its own result", async () => {
    const results = await Promise.all(["a", "b", "c"].map((name) => one.writeBatched(addAll, name)));
    expect(results).toEqual(["a of 3", "b of 3", "c of 3"]);
  });

  it("that one item spoils is run item by item", async () => {
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

  it("fail what is under way as unavailable, and are replaced by themselves", async () => {
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

  it("do not keep news away for long", async () => {
    const heard: string[] = [];
    other.subscribe(["inbox", "standing"], (event) => void heard.push(event ? event.topic : "look"));
    await cutAll();
    await expect.poll(() => heard, { timeout: 10_000 }).toContain("look");
    await expect
      .poll(
        async () => {
          await one.write(async (tx) => tx.publish({ topic: "standing", handle: 7 })).catch(() => undefined);
          return heard;
        },
        { timeout: 20_000 },
      )
      .toContain("standing");
  });
});

describe("migrations", () => {
  it("are run once, whoever starts first", async () => {
    const empty = await createEmptyDatabase();
    const engines = await Promise.all([1, 2, 3].map(() => PostgresEngine.open(empty)));
    const rows = await engines[0]!.reader.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    await Promise.all(engines.map((engine) => engine.close()));
    await dropDatabase(empty);
  });

  it("of the next version do not keep this one from running, unless they say so", async () => {
    const later = (needs: number) =>
      one.write((tx) =>
        tx.run("INSERT INTO migrations (id, name, applied_at, needs) VALUES (9001, 'later', 0, ?)", [needs]),
      );
    await later(1);
    await (await PostgresEngine.open(url)).close();
    await one.write((tx) => tx.run("UPDATE migrations SET needs = 9001 WHERE id = 9001"));
    await expect(PostgresEngine.open(url)).rejects.toThrow(StoreRefused);
    await expect(PostgresEngine.open(url)).rejects.toThrow("newer version of Wireroom (migration 9001)");
    await one.write((tx) => tx.run("DELETE FROM migrations WHERE id = 9001"));
  });
});

describe("a database URL", () => {
  it("is refused in a line that says why, and never shows the password", async () => {
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
