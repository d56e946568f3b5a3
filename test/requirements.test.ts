/**
 * Compares the requirements with the tests that prove them and with the pages of docs/specification that
 * state them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages } from "./requirements.js";

const folder = import.meta.dirname;
const specification = join(folder, "../docs/specification");

/** Every id of every page and section. */
const ids = Object.values(pages).flatMap((page) => Object.values(page).flatMap(Object.keys));

/** Returns the ids that comments of all test files cite. Throws if a test has an id in its name. */
function citedIds(): Set<string> {
  const cited = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".test.ts")) continue;
    const text = readFileSync(join(folder, entry), "utf8");
    for (const line of text.split("\n"))
      for (const [, id] of line.matchAll(/\[((?:[SD]\d+[a-z0-9.]*|[AC])-[a-z0-9-]+)\]/g)) {
        if (!/^\s*\/\/ \[/.test(line)) throw new Error(`${entry}: move [${id}] to a comment above the test`);
        cited.add(id!);
      }
  }
  return cited;
}

/** Returns the ids in the table under "Requirements" of a page, by the anchor of their section. */
function listedIds(text: string): Record<string, string[]> {
  const [, table = ""] = text.split("\n## Requirements\n");
  const rows = table.matchAll(/^\| \[.+\]\(#(.+)\) \| (.+) \|$/gm);
  return Object.fromEntries(
    [...rows].map(([, anchor, list]) => [anchor, [...list!.matchAll(/`([^`]+)`/g)].map(([, id]) => id!)]),
  );
}

describe("requirements", () => {
  const cited = citedIds();

  it("are each cited by at least one test", () => {
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });

  it("exist for every id that a test cites", () => {
    const known = new Set(ids);
    expect([...cited].filter((id) => !known.has(id))).toEqual([]);
  });

  it("are each in one section of one page", () => {
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  });

  it("cover every page of the specification", () => {
    const names = readdirSync(specification).map((file) => file.replace(/\.md$/, ""));
    expect(Object.keys(pages).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(pages))("are listed at the end of %s.md", (name, page) => {
    const text = readFileSync(join(specification, `${name}.md`), "utf8");
    const expected = Object.entries(page).map(([anchor, section]) => [anchor, Object.keys(section)]);
    expect(Object.entries(listedIds(text))).toEqual(expected);
  });
});
