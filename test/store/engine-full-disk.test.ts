import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BatchedWrite, StoreUnavailable, type Transaction } from "../../src/store/engine/engine.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";

let folder: string;
let engine: SqliteEngine;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-store-"));
  engine = await SqliteEngine.open(join(folder, "test.db"));
  await engine.write((tx) => tx.run("CREATE TABLE items (name TEXT PRIMARY KEY) STRICT"));
});
afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const add = (tx: Transaction, name: string) => tx.run("INSERT INTO items (name) VALUES (?)", [name]);
const addLater = (name: string) => engine.write((tx) => add(tx, name));
async function items(): Promise<string[]> {
  const rows = await engine.reader.all<{ name: string }>("SELECT name FROM items ORDER BY name");
  return rows.map(({ name }) => name);
}

/** The file size limit of the process makes writes fail as they do on a full disk. */
describe("a full disk", () => {
  const limitTo = (pages: string) => engine.write((tx) => tx.all(`PRAGMA max_page_count = ${pages}`));
  const large = "x".repeat(100_000);

  it("fails the whole batch, so that the results match the stored rows", async () => {
    const { page_count } = (await engine.reader.get<{ page_count: number }>("PRAGMA page_count"))!;
    await limitTo(String(page_count));
    const jobs = ["a", large, "b", "c"].map(addLater);
    for (const result of await Promise.allSettled(jobs)) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    expect(await items()).toEqual([]);
    await limitTo("1000000");
    await Promise.all(["a", large, "b"].map(addLater));
    expect(await items()).toEqual(["a", "b", large]);
  });

  it("fails the batch even if a job ignores the error", async () => {
    const { page_count } = (await engine.reader.get<{ page_count: number }>("PRAGMA page_count"))!;
    await limitTo(String(page_count));
    const careless = engine.write(async (tx) => {
      await add(tx, large).catch(() => undefined);
      return "all is well";
    });
    for (const result of await Promise.allSettled([addLater("a"), careless, addLater("b")])) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    expect(await items()).toEqual([]);
  });

  it("fails a batched write as a whole", async () => {
    const insert: BatchedWrite<string, void> = {
      async run(tx, names) {
        for (const name of names) await add(tx, name);
        return names.map(() => undefined);
      },
    };
    const { page_count } = (await engine.reader.get<{ page_count: number }>("PRAGMA page_count"))!;
    await limitTo(String(page_count));
    const before = addLater("a");
    const batch = ["b", large, "c"].map((name) => engine.writeBatched(insert, name));
    const after = addLater("d");
    for (const result of await Promise.allSettled(batch)) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    await Promise.all([before, after]);
    expect(await items()).toEqual(["a", "d"]);
  });
});
