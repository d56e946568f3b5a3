import fc from "fast-check";
import sqlite3 from "sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_QUERY_LENGTH } from "../../src/contract/query.js";
import { parseWebSearch } from "../../src/domain/web-search.js";
import { createFts5Table } from "../../src/store/engine/migrations/full-text-tables.js";
import { matchAllWords, matchExpression, scopedTerms } from "../../src/store/fulltext/fts5.js";
import { newestMatches } from "../../src/store/fulltext/fts5-table.js";
import { matcher, matches } from "../../src/store/fulltext/terms.js";
import { readSuite } from "../harness/conformance-suites.js";
import { WEB_SEARCH_EXCEPTIONS } from "../harness/web-search-exceptions.js";

interface WebSearchSuite {
  documents: { id: string; text: string }[];
  queries: { id: string; q: string; ids: string[]; fts5_differs: string[] }[];
}

/** A full-text index on the real engine and the real table. */
class Index {
  private readonly db = new sqlite3.Database(":memory:");

  run(sql: string, ...params: unknown[]): Promise<void> {
    return new Promise((resolve, reject) =>
      this.db.run(sql, params, (error) => (error ? reject(error) : resolve())),
    );
  }

  rowids(sql: string, ...params: unknown[]): Promise<number[]> {
    return new Promise((resolve, reject) =>
      this.db.all<{ rowid: number }>(sql, params, (error, rows) =>
        error ? reject(error) : resolve(rows.map(({ rowid }) => rowid)),
      ),
    );
  }

  async add(rowid: number, terms: string): Promise<void> {
    await this.run("INSERT INTO search (rowid, terms) VALUES (?, ?)", rowid, terms);
  }

  async search(match: string | null): Promise<number[]> {
    const ranked = `SELECT rowid FROM (${newestMatches("search")}) ORDER BY rank, rowid DESC`;
    return match === null ? [] : this.rowids(ranked, match, 0);
  }

  /** Searches as the store does: by FTS5, and then by text if FTS5 returned too many documents. */
  async find(scope: string, q: string, textOf: (rowid: number) => string): Promise<number[]> {
    const node = parseWebSearch(q);
    if (!node) return [];
    const { match, isExact: exact } = matchExpression(scope, node);
    const found = await this.search(match);
    if (exact) return found;
    const satisfies = matcher(node);
    return found.filter((rowid) => satisfies(textOf(rowid)));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.db.close(() => resolve()));
  }
}

const index = new Index();
beforeAll(() => index.run(createFts5Table("search")));
afterAll(() => index.close());

describe("a full-text table", () => {
  const texts = [
    "The orders were shipped from example.com on 2024-01-02.",
    "Eaten by a big rat, said data-cleaner@example.com.",
    "Eaten a rat? It's the snake_case_name, v1.2 of 'it'!",
    "日本語 café ПРИВЕТ and a rat that had eaten",
  ];
  const find = (q: string) => index.find("5", q, (rowid) => texts[rowid - 50] ?? "");

  beforeAll(async () => {
    for (const [i, text] of texts.entries()) {
      await index.add(50 + i, scopedTerms("5", text));
      await index.add(60 + i, scopedTerms("55", text));
    }
  });

  it.each([
    ["order shipping", [50]],
    ["example.com", [50, 51]],
    ["data-cleaner@example.com", [51]],
    ["-example.com", [52, 53]],
    ["v1.2 本語", []],
    ["日本", [53]],
    ["語", [53]],
    ['"eaten a rat"', [52]],
    ['"eaten by the big rat"', [51]],
    ['"eaten by big rat"', []],
    ['eaten -"eaten a rat"', [51, 53]],
    ['-"eaten a rat"', [50, 51, 53]],
    ["-rat", [50]],
    ["ship or café", [50, 53]],
    ["привет", [53]],
    ["cafe", []],
    ["snake_case_name", [52]],
    ["the", []],
    ["'\"*^(NEAR AND OR NOT", []],
  ])("finds %s", async (q, rowids) => {
    expect((await find(q)).sort()).toEqual(rowids);
  });

  it("sorts by relevance, then newest first", async () => {
    expect(await find("rat")).toEqual([51, 53, 52]);
  });

  it("omits a deleted document", async () => {
    await index.run("DELETE FROM search WHERE rowid = 61");
    expect(await index.search(matchAllWords("55", "rat"))).toEqual([63, 62]);
    await index.run("DELETE FROM search WHERE rowid BETWEEN 50 AND 63");
  });
});

describe("a search for words on the switchboard", () => {
  it.each([
    ["data-cleaner", "cleaner"],
    ["data-cleaner", "data-cleaner"],
    ["@alice/price-quote", "price"],
    ["@alice/price-quote", "@alice/price-quote"],
    ["@alice/price-quote", "alice quotes"],
    ["nlp.translation, en→de", "translate"],
  ])("finds %s by %s", async (name, q) => {
    await index.add(7, scopedTerms("schema", name));
    expect(await index.search(matchAllWords("schema", q))).toEqual([7]);
    expect(await index.search(matchAllWords("handle", q))).toEqual([]);
    await index.run("DELETE FROM search WHERE rowid = 7");
  });

  it("requires all words, and has no operators", async () => {
    await index.add(8, scopedTerms("handle", "prices and quotes"));
    expect(await index.search(matchAllWords("handle", "quote -price"))).toEqual([8]);
    expect(await index.search(matchAllWords("handle", "quote or tea"))).toEqual([]);
    expect(matchAllWords("handle", " the , ")).toBeNull();
    await index.run("DELETE FROM search WHERE rowid = 8");
  });
});

describe("a full-text query", () => {
  const vocabulary = ["fat", "cat", "rat", "the", "of", "co-op", "snake_case", "snake", "case", "a.io", "op"];
  const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 });
  const text = words.map((all) => all.join(" "));
  const operand = fc.oneof(
    text.map((all) => `"${all}"`),
    fc.constantFrom(...vocabulary),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom("", "", "-", "or "), operand), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([operator, q]) => operator + q).join(" "));
  const texts = fc.sample(text, { numRuns: 100, seed: 1 });

  beforeAll(async () => {
    for (const [i, document] of texts.entries()) await index.add(100 + i, scopedTerms("3", document));
  });

  it("returns exactly the documents that match individually", async () => {
    const property = fc.asyncProperty(query, async (q) => {
      const node = parseWebSearch(q);
      const wanted = texts.flatMap((document, i) => (node && matches(node, document) ? [100 + i] : []));
      const found = await index.find("3", q, (rowid) => texts[rowid - 100] ?? "");
      expect(found.sort((a, b) => a - b)).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it.each([" ", " or ", " -", " the ", ' "', ":"])(
    "may have the maximum length: words joined by %j",
    async (glue) => {
      const distinct = Array.from({ length: MAX_QUERY_LENGTH / 3 }, (_, i) => `x${i.toString(36)}`);
      for (const quote of ["", '"']) {
        const node = parseWebSearch(quote + distinct.join(glue));
        if (node) expect(await index.search(matchExpression("4", node).match)).toEqual([]);
      }
    },
  );
});

const cases = readSuite<WebSearchSuite>("websearch/websearch.shared.json");

describe.skipIf(!cases)("the test cases of PostgreSQL 15 (skipped without the suites)", () => {
  const { documents, queries } = cases ?? { documents: [], queries: [] };
  const scopes = ["1", "11"];

  beforeAll(async () => {
    await index.run("BEGIN");
    for (const [s, scope] of scopes.entries()) {
      for (const [i, { text }] of documents.entries()) {
        await index.add(1000 * (s + 1) + i, scopedTerms(scope, text));
      }
    }
    await index.run("COMMIT");
  });

  it.each(scopes)(
    "return the same documents in scope %s but for parts of compounds, and none of the other scope",
    async (scope) => {
      const first = 1000 * (scopes.indexOf(scope) + 1);
      const different: string[] = [];
      for (const { id, q, ids } of queries) {
        const found = await index.find(scope, q, (rowid) => documents[rowid - first]?.text ?? "");
        const foundIds = found.map((rowid) => documents[rowid - first]?.id ?? `rowid ${rowid}`).sort();
        if (foundIds.join() !== [...ids].sort().join()) different.push(id);
      }
      console.log(
        `web search, scope ${scope}: ${queries.length - different.length} of ${queries.length} the same`,
      );
      expect(different).toEqual(Object.keys(WEB_SEARCH_EXCEPTIONS));
    },
  );
});

const naughty = readSuite<string[]>("naughty/blns.json");

describe.skipIf(!naughty)("the Big List of Naughty Strings (skipped without the suites)", () => {
  it("causes no error as a document, a query or words", async () => {
    for (const [i, text] of (naughty ?? []).entries()) {
      await index.add(5000 + i, scopedTerms("9", text));
      const node = parseWebSearch(text);
      if (node) await index.search(matchExpression("9", node).match);
      await index.search(matchAllWords("9", text));
    }
  });
});
