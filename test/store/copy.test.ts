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

/** Starts a copy that throws at this row of the table `accounts` in this step. */
function copyUntil(step: CopyProgress["step"], row: number) {
  return copy((at) => {
    if (at.step === step && at.table === "accounts" && at.rows === row) throw new Error("broken off");
  });
}

describe("the copy of a store", () => {
  // [C-store-copy-resumes] [C-store-copy-half]
  it("continues where it was interrupted, in any step", async () => {
    for (const [step, row] of [
      ["copying", 0],
      ["copying", 500],
      ["copying", ACCOUNTS],
      ["checking", 1_000],
    ] as const) {
      await expect(copyUntil(step, row)).rejects.toThrow("broken off");
      await expect(openStore(to)).rejects.toThrow(
        /unfinished copy of .*from\.db.* wireroom store copy --from/,
      );
      await expect(openWithoutLock(to)).rejects.toThrow(StoreRefused);
    }
    const seen: CopyProgress[] = [];
    const { isResumed, tables } = await copy((progress) => void seen.push(progress));
    expect(isResumed).toBe(true);
    expect(tables.find(({ table }) => table === "accounts")).toMatchObject({ rows: ACCOUNTS });
    // No row was copied twice.
    expect(seen.filter(({ step, table }) => step === "copying" && table === "accounts")).toEqual([
      { step: "copying", table: "accounts", rows: ACCOUNTS, of: ACCOUNTS },
    ]);
    const { engine, cursorSecret } = await openStore(to);
    const first = await engine.reader.get("SELECT subject FROM accounts WHERE pk = 1");
    await engine.close();
    expect(first).toEqual({ subject: "s\x001" });
    const original = await openStore(from);
    await original.engine.close();
    expect(cursorSecret).toBe(original.cursorSecret);
    await expect(copy()).rejects.toThrow("the target already contains this service");
  });

  // [C-store-copy-compared]
  it("is rejected at the end if the source changed between two runs", async () => {
    await expect(copyUntil("copying", 1_000)).rejects.toThrow("broken off");
    await change(from, (tx) => tx.run("UPDATE accounts SET email = 'else@example.com' WHERE pk = 3"));
    await expect(copy()).rejects.toThrow(/accounts differs: 1300 rows in the source, 1300 in the target/);
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
    const target = await openTarget(to, tables, { source: from, service: "another" });
    await expect(openStore(to)).rejects.toThrow("another daemon is running");
    await expect(openTarget(to, tables, { source: from, service: "another" })).rejects.toThrow(StoreRefused);
    await target.engine.close();
    await expect(copy()).rejects.toThrow("copy of another service");
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
