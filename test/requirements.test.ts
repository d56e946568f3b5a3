import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirements } from "./requirements.js";

const folder = import.meta.dirname;

/** Ids cited in brackets in the name of any test. */
function citedIds(): Set<string> {
  const cited = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".test.ts")) continue;
    const text = readFileSync(join(folder, entry), "utf8");
    for (const [, id] of text.matchAll(/\[((?:[SD]\d+[a-z0-9.]*|[AC])-[a-z0-9-]+)\]/g)) cited.add(id!);
  }
  return cited;
}

describe("requirements", () => {
  const cited = citedIds();

  it("each is cited by at least one test", () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
  });

  it("each citation is of one that exists", () => {
    expect([...cited].filter((id) => !(id in requirements))).toEqual([]);
  });
});
