/** Tests that both engines return the same documents in the same order, for the same texts and queries. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseWebSearch } from "../../src/domain/web-search.js";
import type { Engine } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { unprepared } from "../../src/store/engine/sql.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import {
  BEST_FIRST,
  insertTerms,
  matcher,
  type Search,
  scopedTerms,
  searchFor,
  searchForAllWords,
} from "../../src/store/fulltext/index.js";
import { createDatabase, dropDatabase } from "../harness/postgres-server.js";

const WORDS = [
  "deploy",
  "deploys",
  "server",
  "the",
  "of",
  "naïve",
  "résumé",
  "中文",
  "3.14",
  "a-b",
  "https://x.org/y",
  "o'clock",
  "fox",
];
/** Texts of different lengths. The seed is fixed, so that a failure can be reproduced. */
const TEXTS = fc.sample(fc.array(fc.constantFrom(...WORDS), { minLength: 0, maxLength: 40 }), {
  numRuns: 400,
  seed: 7,
});
const documents = TEXTS.map((words, n) => ({ pk: n + 1, scope: String(1 + (n % 3)), text: words.join(" ") }));

let folder: string;
let url: string;
let sqlite: SqliteEngine;
let postgres: PostgresEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-search-"));
  sqlite = await SqliteEngine.open(join(folder, "test.db"));
  url = await createDatabase();
  postgres = await PostgresEngine.open(url);
  for (const engine of [sqlite, postgres]) {
    await engine.write(async (tx) => {
      await insertTerms(
        tx,
        "wires_fts",
        documents.map(({ pk, scope, text }) => [pk, scopedTerms(scope, text)]),
      );
      await insertTerms(
        tx,
        "entities_fts",
        documents.map(({ pk, scope, text }) => [pk, scopedTerms(scope, text)]),
      );
    });
  }
});
afterAll(async () => {
  await Promise.all([sqlite.close(), postgres.close()]);
  await dropDatabase(url);
  await rm(folder, { recursive: true, force: true });
});

async function ranked(engine: Engine, search: Search | null): Promise<number[]> {
  if (!search) return [];
  const sql = unprepared(`SELECT rowid FROM (${search.sql}) found ORDER BY ${BEST_FIRST}`);
  return (await engine.reader.all<{ rowid: number }>(sql, search.values)).map(({ rowid }) => rowid);
}

async function found(engine: Engine, scope: string, q: string): Promise<{ pks: number[]; exact: boolean }> {
  const node = parseWebSearch(q);
  if (!node) return { pks: [], exact: true };
  const search = searchFor(engine.reader.engine, "wires_fts", scope, node, 0);
  const pks = await ranked(engine, search && (await search.ranked(engine.searcher)));
  if (!search || search.isExact) return { pks, exact: true };
  const isMatch = matcher(node);
  return { pks: pks.filter((pk) => isMatch(documents[pk - 1]!.text)), exact: false };
}

const word = fc.constantFrom(...WORDS, "absent", "\0", "\\", '{"');
const phrase = fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => `"${words.join(" ")}"`);
const part = fc.oneof(
  word,
  word,
  phrase,
  word.map((w) => `-${w}`),
  phrase.map((p) => `-${p}`),
  fc.constant("or"),
);
const query = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(" "));

/**
 * Returns whether both engines rank a query equally. PostgreSQL ranks a phrase by its words. For an `or`
 * query, FTS5 also counts words of excluded or partly matched operands, so the operands must be different
 * words.
 */
function isRankedEqually(q: string): boolean {
  if (/["'/.@_-]/.test(q)) return false;
  const parts = q.split(" or ");
  const isRepeated = new Set(parts.map((part) => part.replace(/s$/, ""))).size < parts.length;
  return !/\bor\b/.test(q) || (!isRepeated && parts.every((part) => !/\s|^or$/.test(part)));
}

describe("SQLite and PostgreSQL", () => {
  // [D5-search-syntax] [D5-search-ranked]
  it("return the same documents for any query, and rank words equally", async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom("1", "2", "9"), async (q, scope) => {
        const [expected, got] = await Promise.all([found(sqlite, scope, q), found(postgres, scope, q)]);
        expect([...got.pks].sort()).toEqual([...expected.pks].sort());
        if (isRankedEqually(q)) expect(got.pks).toEqual(expected.pks);
      }),
      { numRuns: 150 },
    );
  });

  it("do not find deleted documents", async () => {
    const before = await found(sqlite, "2", "deploy");
    const deleted = before.pks[0]!;
    for (const engine of [sqlite, postgres]) {
      await engine.write((tx) => tx.run("DELETE FROM wires_fts WHERE rowid = ?", [deleted]));
      const { pks } = await found(engine, "2", "deploy");
      expect(new Set(pks)).toEqual(new Set(before.pks.slice(1)));
    }
  });

  it("return a word that is in more documents than the planner estimates", async () => {
    await postgres.write(async (tx) => {
      const pks = Array.from({ length: 1_200 }, (_, n) => 10_000 + n);
      await insertTerms(
        tx,
        "wires_fts",
        pks.map((pk) => [pk, scopedTerms("crowd", "whale")]),
      );
    });
    const { pks } = await found(postgres, "crowd", "whale");
    expect(pks.slice(0, 2)).toEqual([11_199, 11_198]);
    await postgres.write((tx) => tx.run("DELETE FROM wires_fts WHERE rowid >= 10000"));
  });

  // [D5-search-ranked]
  it("rank by the words that fewer than 10,000 wires of a space contain", async () => {
    const texts = (n: number) =>
      `common ${n < 3 ? "rare" : "plain"} ${"filler ".repeat(n % 3)}${n === 1 ? "rare" : ""}`;
    const pks = Array.from({ length: 10_000 }, (_, n) => 20_000 + n);
    for (const engine of [sqlite, postgres]) {
      await engine.write((tx) =>
        insertTerms(
          tx,
          "wires_fts",
          pks.map((pk) => [pk, scopedTerms("vast", texts(pk - 20_000))]),
        ),
      );
      expect((await found(engine, "vast", "common")).pks).toEqual(pks.slice(-2_000).reverse());
      expect((await found(engine, "vast", "common rare")).pks).toEqual([20_001, 20_000, 20_002]);
      const either = (await found(engine, "vast", "rare or plain")).pks;
      expect(either).toHaveLength(2_000);
      await engine.write((tx) => tx.run("DELETE FROM wires_fts WHERE rowid >= 20000"));
    }
  });

  // [D5-switchboard-words]
  it("return the same documents for a query of all words, as on the switchboard", async () => {
    for (const q of ["deploy", "deploys server", "résumé fox", "the", "x org", "absent"]) {
      const [expected, got] = await Promise.all(
        [sqlite, postgres].map((engine) =>
          ranked(engine, searchForAllWords(engine.reader.engine, "entities_fts", "2", q)),
        ),
      );
      expect(got).toEqual(expected);
    }
  });
});
