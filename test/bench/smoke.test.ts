import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "wireroom-bench-data-"));
});
afterAll(() => rm(data, { recursive: true, force: true }));

it("the benchmarks run from setup to the written result", { timeout: 180_000 }, async () => {
  const rows = ["post-space", "inbox-empty", "postgres-raw"];
  const args = [...rows, "--rounds", "1", "--seconds", "0.3", "--wires", "300"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["scripts/run-compiled.mjs", "bench", "main", ...args],
    {
      cwd: root,
      env: { ...process.env, WIREROOM_BENCH_DATA: data },
    },
  );
  expect(stdout).toContain("POST /wires, to a space under a schema, against the Koa floor");
  const file = /^written to (.+)$/m.exec(stdout)![1]!;
  const { rows: found } = JSON.parse(await readFile(file, "utf8"));
  await rm(file);
  expect(Object.keys(found)).toEqual(rows);
  for (const [report] of Object.values<{ figures: { throughput: number }[]; note?: string }[]>(found)) {
    expect(report!.note).toBeUndefined();
    expect(report!.figures.map(({ throughput }) => throughput > 0)).toEqual([true, true]);
  }
});
