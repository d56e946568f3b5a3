/** The journal of `wireroom watch`, which is written again when it is long. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Journal } from "../../cli/services/watch/journal.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

let file: string;
beforeEach(() => {
  file = join(new TemporaryFolder("wireroom-journal-").path, "journal");
});

// [C-watch-killed]
describe("a journal that is written again", () => {
  it("loses no line", async () => {
    const journal = await Journal.open(file);
    journal.compact();
    journal.recordDone("wire meanwhile");
    journal.compact();
    expect((await Journal.open(file)).isDone("wire meanwhile")).toBe(true);
  });

  it("keeps the output of a command until its item is done", async () => {
    const journal = await Journal.open(file);
    for (const key of ["wire one", "wire two"]) journal.recordExit(key, `to ${key}\n`);
    journal.recordDone("wire one");
    for (let n = 0; n < 2; n++) {
      const next = await Journal.open(file);
      expect([next.outputOf("wire one"), next.outputOf("wire two")]).toEqual([undefined, "to wire two\n"]);
      next.compact();
    }
  });

  it("stays short with long outputs", async () => {
    const journal = await Journal.open(file);
    for (let n = 0; n < 60; n++) {
      journal.recordExit(`wire ${n}`, "x".repeat(1024 * 1024));
      journal.recordDone(`wire ${n}`);
    }
    expect((await stat(file)).size).toBeLessThan(20 * 1024 * 1024);
  });

  it("stays short", async () => {
    const journal = await Journal.open(file);
    for (let n = 0; n < 25_000; n++) journal.recordDone(`wire ${n}`);
    expect((await readFile(file, "utf8")).split("\n").length).toBeLessThan(11_000);
    const next = await Journal.open(file);
    expect([next.isDone("wire 24999"), next.isDone("wire 0")]).toEqual([true, false]);
  });
});
