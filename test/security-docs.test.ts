/**
 * Checks that docs/threat-model.md, docs/security-standards.md, docs/bounds.md and docs/asvs.md are complete,
 * and that no row lacks a test or an argument.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Returns the rows of all tables whose header has these columns, as trimmed cells. */
function tableRows(page: string, columns: string[]): string[][] {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), "utf8");
  const tables = text.split("\n\n").filter((block) => block.startsWith("|"));
  return tables
    .map((table) =>
      table
        .trim()
        .split("\n")
        .map((line) =>
          line
            .slice(1, -1)
            .split("|")
            .map((cell) => cell.trim()),
        ),
    )
    .filter(([header]) => columns.every((column) => header!.includes(column)))
    .flatMap(([, , ...rows]) => rows);
}

const EVIDENCE =
  /\]\((\.\.\/test\/[\w/-]+\.test\.ts|[\w/-]+\.(md|json)(#[\w-]+)?|\.\.\/SECURITY\.md#[\w-]+)\)|\bargument\b/;

describe("the threat model and the page on standards", () => {
  const rows = [
    ...tableRows("threat-model.md", ["threat", "shown by"]),
    ...tableRows("security-standards.md", ["here", "shown by"]),
  ];

  it("has a test or an argument in every row", () => {
    expect(rows.length).toBeGreaterThan(80);
    const bare = rows.filter(
      (cells) => cells.length !== 3 || cells[1] === "" || !EVIDENCE.test(cells.join(" ")),
    );
    expect(bare).toEqual([]);
  });
});

describe("the page of bounds", () => {
  const rows = tableRows("bounds.md", ["resource", "process", "shown by"]);

  it("has a bound and its test in every row", () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const cells of rows) {
      expect(cells, cells[0]).toHaveLength(6);
      expect(cells.at(-1), cells[0]).toMatch(EVIDENCE);
      expect(
        cells.slice(1, -1).every((cell) => cell === "–"),
        cells[0],
      ).toBe(false);
    }
  });
});

/** The requirements of levels 1 and 2 of ASVS 5.0.0, by section. */
const ASVS = `1.1:1,2 1.2:1,2,3,4,5,6,7,8,9 1.3:1,2,3,4,5,6,7,8,9,10,11 1.4:1,2,3 1.5:1,2 2.1:1,2,3 2.2:1,2,3
  2.3:1,2,3,4 2.4:1 3.2:1,2 3.3:1,2,3,4 3.4:1,2,3,4,5,6 3.5:1,2,3,4,5 3.7:1,2 4.1:1,2,3 4.2:1 4.3:1,2 4.4:1,2,3,4
  5.1:1 5.2:1,2,3 5.3:1,2 5.4:1,2,3 6.1:1,2,3 6.2:1,2,3,4,5,6,7,8,9,10,11,12 6.3:1,2,3,4 6.4:1,2,3,4
  6.5:1,2,3,4,5 6.6:1,2,3 6.8:1,2,3,4 7.1:1,2,3 7.2:1,2,3,4 7.3:1,2 7.4:1,2,3,4,5 7.5:1,2 7.6:1,2 8.1:1,2 8.2:1,2,3
  8.3:1 8.4:1 9.1:1,2,3 9.2:1,2,3,4 10.1:1,2 10.2:1,2 10.3:1,2,3,4 10.4:1,2,3,4,5,6,7,8,9,10,11 10.5:1,2,3,4,5 10.6:1,2
  10.7:1,2,3 11.1:1,2 11.2:1,2,3 11.3:1,2,3 11.4:1,2,3,4 11.5:1 11.6:1 12.1:1,2,3 12.2:1,2 12.3:1,2,3,4 13.1:1
  13.2:1,2,3,4,5 13.3:1,2 13.4:1,2,3,4,5 14.1:1,2 14.2:1,2,3,4 14.3:1,2,3 15.1:1,2,3 15.2:1,2,3 15.3:1,2,3,4,5,6,7 16.1:1
  16.2:1,2,3,4,5 16.3:1,2,3,4 16.4:1,2,3 16.5:1,2,3 17.1:1 17.2:1,2,3,4 17.3:1,2`;

describe("the page on the ASVS", () => {
  const rows = tableRows("asvs.md", ["requirement", "how, and shown by"]);
  const open = rows.filter(([, , evidence]) => evidence!.startsWith("**Open.** ")).map(([id]) => id);
  const inapplicable = tableRows("asvs.md", ["requirements", "reason"]);

  it("has each requirement of levels 1 and 2 once", () => {
    const expected = ASVS.split(/\s+/).flatMap((section) => {
      const [chapter, numbers] = section.split(":");
      return numbers!.split(",").map((number) => `${chapter}.${number}`);
    });
    expect(expected.length).toBe(253);
    const listed = [...rows.map(([id]) => id!), ...inapplicable.flatMap(([ids]) => ids!.split(", "))];
    expect(listed.sort()).toEqual(expected.sort());
  });

  it("has a test, a page or an argument for every requirement that is met, and a reason for every other one", () => {
    for (const [id, subject, evidence] of rows) {
      expect(subject, id).not.toBe("");
      expect(evidence, id).not.toMatch(/^(\*\*Open\.\*\*)?$/);
      if (!open.includes(id!)) expect(evidence, id).toMatch(EVIDENCE);
    }
    for (const [ids, reason] of inapplicable) expect(reason, ids).not.toBe("");
  });

  it("counts the states correctly, and lists the open requirements", () => {
    const text = readFileSync(new URL("../docs/asvs.md", import.meta.url), "utf8");
    const listed = /The open ones are[\s\S]*?\n\n/.exec(text)![0].match(/\d+\.\d+\.\d+/g);
    expect(listed).toEqual(open);
    const others = inapplicable.flatMap(([ids]) => ids!.split(", ")).length;
    expect(text.replaceAll("\n", " ")).toContain(
      `Of its 253 requirements, ${rows.length - open.length} are met, ${others} do not apply, and ${open.length} are open.`,
    );
  });
});
