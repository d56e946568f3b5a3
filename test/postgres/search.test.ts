/** Both engines find the same documents, in the same order: the same texts and queries are given to both. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseWebSearch } from "../../src/domain/web-search.js";
import type { Engine } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { once } from "../../src/store/engine/sql.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import {
  indexText,
  matcher,
  plainWords,
  searchFor,
  searchForAllWords,
  storeTerms,
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
/** Texts of all lengths; the numbers come from a fixed seed, so that a failure can be repeated. */
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
      await storeTerms(
        tx,
        "wires_fts",
        documents.map(({ pk, scope, text }) => [pk, indexText(scope, text)]),
      );
      await storeTerms(
        tx,
        "entities_fts",
        documents.map(({ pk, scope, text }) => [pk, indexText(scope, plainWords(text))]),
      );
      await tx.run("DELETE FROM wires_fts WHERE rowid = ?", [5]);
    });
  }
});
afterAll(async () => {
  await Promise.all([sqlite.close(), postgres.close()]);
  await dropDatabase(url);
  await rm(folder, { recursive: true, force: true });
});

type Search = NonNullable<ReturnType<typeof searchFor>>;

async function ranked(engine: Engine, search: Search | null): Promise<number[]> {
  if (!search) return [];
  const sql = once(`SELECT rowid FROM (${search.sql}) found ORDER BY rank, rowid DESC`);
  return (await engine.reader.all<{ rowid: number }>(sql, search.values)).map(({ rowid }) => rowid);
}

async function found(engine: Engine, scope: string, q: string): Promise<{ pks: number[]; exact: boolean }> {
  const node = parseWebSearch(q);
  if (!node) return { pks: [], exact: true };
  const search = searchFor(engine.reader.engine, "wires_fts", scope, node);
  const pks = await ranked(engine, search);
  if (!search || search.exact) return { pks, exact: true };
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
 * Phrases, such as words that fall into several, rank by their words on PostgreSQL. Of an `or` FTS5 counts also the words of a
 * part that is excluded or not matched as a whole, so its parts have to be different words.
 */
function isRankedAlike(q: string): boolean {
  if (/["'/-]/.test(q)) return false;
  const parts = q.split(" or ");
  const isRepeated = new Set(parts.map((part) => part.replace(/s$/, ""))).size < parts.length;
  return !/\bor\b/.test(q) || (!isRepeated && parts.every((part) => !/\s|^or$/.test(part)));
}

describe("the engines", () => {
  it("find the same of any query, and rank words alike [D5-search-syntax] [D5-search-ranked]", async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom("1", "2", "9"), async (q, scope) => {
        const [expected, got] = await Promise.all([found(sqlite, scope, q), found(postgres, scope, q)]);
        expect([...got.pks].sort()).toEqual([...expected.pks].sort());
        if (isRankedAlike(q)) expect(got.pks).toEqual(expected.pks);
      }),
      { numRuns: 150 },
    );
  });

  it("find a word that is in more documents than the planner knows of", async () => {
    await postgres.write(async (tx) => {
      const pks = Array.from({ length: 1_200 }, (_, n) => 10_000 + n);
      await storeTerms(
        tx,
        "wires_fts",
        pks.map((pk) => [pk, indexText("crowd", "whale")]),
      );
    });
    const { pks } = await found(postgres, "crowd", "whale");
    expect(pks.slice(0, 2)).toEqual([11_199, 11_198]);
    await postgres.write((tx) => tx.run("DELETE FROM wires_fts WHERE rowid >= 10000"));
  });

  it("find the same by all words, as the switchboard does [D5-switchboard-words]", async () => {
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
