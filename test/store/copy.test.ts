import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CopyProgress, copyStore } from "../../src/store/copy/index.js";
import { withSourceLocked } from "../../src/store/copy/source.js";
import { readTables } from "../../src/store/copy/tables.js";
import { openTarget } from "../../src/store/copy/target.js";
import {
  type Session,
  StoreRefused,
  StoreUnavailable,
  type Transaction,
} from "../../src/store/engine/engine.js";
import { openStore, openWithoutLock } from "../../src/store/index.js";

const ACCOUNTS = 1_300;

let folder: string;
let from: string;
let to: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-copy-"));
  from = `sqlite:${join(folder, "from.db")}`;
  to = `sqlite:${join(folder, "to.db")}`;
  await change(from, async (tx) => {
    for (let n = 1; n <= ACCOUNTS; n++) {
      await tx.run("INSERT INTO accounts (id, issuer, subject, email, created_at) VALUES (?, 'i', ?, ?, ?)", [
        `id-${n}`,
        `s\0${n}`,
        `${n}@example.com`,
        n,
      ]);
    }
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function change(url: string, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const { engine } = await openStore(url);
  await engine.write(work).finally(() => engine.close());
}

const copy = (onProgress: (progress: CopyProgress) => void = () => undefined) =>
  copyStore({ from, to, sourceName: from, onProgress });

describe("the copy of a store", () => {
  // [C-store-copy-half]
  it("serves nothing after an interruption, and starts again with another database", async () => {
    const interrupted = copy(({ step, table, rows }) => {
      if (step === "copying" && table === "accounts" && rows === 500) throw new Error("broken off");
    });
    await expect(interrupted).rejects.toThrow("broken off");
    const unfinished = /unfinished copy of .*from\.db.* wireroom store copy --from/;
    await expect(openStore(to)).rejects.toThrow(unfinished);
    await expect(openWithoutLock(to)).rejects.toThrow(StoreRefused);
    await expect(copy()).rejects.toThrow(unfinished);

    to = `sqlite:${join(folder, "again.db")}`;
    const { tables } = await copy();
    expect(tables.find(({ table }) => table === "accounts")).toMatchObject({ rows: ACCOUNTS });
    const { engine, cursorSecret } = await openStore(to);
    const first = await engine.reader.get("SELECT subject FROM accounts WHERE pk = 1");
    await engine.close();
    expect(first).toEqual({ subject: "s\x001" });
    const original = await openStore(from);
    await original.engine.close();
    expect(cursorSecret).toBe(original.cursorSecret);
    await expect(copy()).rejects.toThrow("the target is not empty");
  });

  // [C-store-copy-compared]
  it("is rejected at the end if another program wrote to the target", async () => {
    const tampered = copy(({ step, table, rows }) => {
      if (step !== "copying" || table !== "accounts" || rows !== ACCOUNTS) return;
      const script = `new (require("sqlite3").Database)(process.argv[1])
        .run("UPDATE accounts SET email = 'else@example.com' WHERE pk = 3")`;
      execFileSync(process.execPath, ["--eval", script, to.slice("sqlite:".length)]);
    });
    await expect(tampered).rejects.toThrow(/accounts differs: 1300 rows in the source, 1300 in the target/);
    await expect(openStore(to)).rejects.toThrow("unfinished copy");
  });

  // [C-store-copy-source]
  it("locks the source against changes, and the target against another copy", async () => {
    const tables = await readTables();
    await withSourceLocked(from, tables, async (source) => {
      await expect(openStore(from)).rejects.toThrow("another daemon is running");
      await expect(copy()).rejects.toThrow("another daemon is running");
      const beside = await openWithoutLock(from);
      await expect(beside.write((tx) => tx.run("DELETE FROM accounts"))).rejects.toThrow(StoreUnavailable);
      await beside.close();
      expect(await source.get("SELECT count(*) AS n FROM accounts")).toEqual({ n: ACCOUNTS });
    });
    const target = await openTarget(to, tables, from);
    await expect(openStore(to)).rejects.toThrow("another daemon is running");
    await expect(openTarget(to, tables, from)).rejects.toThrow(StoreRefused);
    await target.engine.close();
  });

  it("copies every table after the tables that it references", async () => {
    const tables = await readTables();
    const names = tables.map(({ name }) => name);
    const { engine } = await openStore(from);
    const stored = await tableNames(engine.reader);
    await engine.close();
    expect([...names].sort()).toEqual(stored.filter((name) => !/^migrations$|_fts/.test(name)));
    expect(names.indexOf("accounts")).toBeLessThan(names.indexOf("handles"));
    for (const { key } of tables) expect(key.length).toBeGreaterThan(0);
  });
});

async function tableNames(session: Session): Promise<string[]> {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
  return (await session.all<{ name: string }>(sql)).map(({ name }) => name);
}
