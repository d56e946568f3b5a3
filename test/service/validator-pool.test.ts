import { readdir, readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Candidate } from "../../src/service/validation/index.js";
import { ValidatorPool } from "../../src/service/validation/pool.js";
import { endless, timedOut } from "./endless.js";

/** The threads run what `npm run build` has made of the sources. */
const pool = new ValidatorPool();
afterAll(() => pool.close());

const greeting: Candidate = {
  key: "greeting@1",
  document: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};
const text: Candidate = { key: "text@1", document: { type: "string" } };

describe("validating a payload", () => {
  it("takes the first candidate that accepts it", async () => {
    expect(await pool.validate([greeting], { n: 1 })).toEqual({ accepted: 0 });
    expect(await pool.validate([text, greeting, { key: "any", document: {} }], { n: 1 })).toEqual({
      accepted: 1,
    });
  });

  it("says why by the candidate with the fewest errors, the first of equals", async () => {
    const strict = { key: "strict", document: { required: ["a", "b"], type: "object" } };
    expect(await pool.validate([strict, greeting, text], {})).toEqual({
      rejected: 1,
      errors: [{ instancePath: "", keyword: "required", message: 'must have the property "n"' }],
    });
  });

  it("keeps the payload as it is, awkward names and values included", async () => {
    const schema = {
      key: "awkward",
      document: { required: ["__proto__", "a"], properties: { a: { const: "\ud800\0" } } },
    };
    expect(await pool.validate([schema], JSON.parse('{"__proto__": 1, "a": "\\ud800\\u0000"}'))).toEqual({
      accepted: 0,
    });
  });

  it("says so where a document is no schema", async () => {
    const verdict = await pool.validate([{ key: "broken", document: { $ref: "#/none" } }], 1);
    expect(verdict).toMatchObject({ rejected: 0, errors: [{ keyword: "schema" }] });
  });

  it("goes on when more schemas are used than a thread keeps", async () => {
    const large = (i: number) => ({
      key: `large-${i}`,
      document: { const: i, description: "x".repeat(30_000) },
    });
    for (const round of [1, 2]) {
      const verdicts = await Promise.all(Array.from({ length: 100 }, (_, i) => pool.validate([large(i)], i)));
      expect(
        verdicts.every((verdict) => "accepted" in verdict),
        `round ${round}`,
      ).toBe(true);
    }
  });
});

describe("a validation that does not end", () => {
  it("is ended, and says which candidate took too long", async () => {
    expect(await pool.validate([text, endless("endless-1")], { a: 1 })).toEqual(timedOut(1));
    expect(await pool.validate([endless("endless-1"), text], { a: 1 })).toEqual(timedOut(0));
  });

  it("leaves the others right and in order", async () => {
    const settled: number[] = [];
    const one = async (i: number) => {
      const payload = i % 3 === 0 ? { n: "x" } : { n: i };
      const verdict = await pool.validate([greeting], payload);
      settled.push(i);
      return verdict;
    };
    const hostile = Array.from({ length: 3 }, (_, i) =>
      pool.validate([endless(`endless-${i + 2}`)], { a: 1 }),
    );
    const before = performance.now();
    const verdicts = await Promise.all(Array.from({ length: 300 }, (_, i) => one(i)));
    const took = performance.now() - before;
    for (const [i, verdict] of verdicts.entries())
      expect(Object.keys(verdict)[0]).toBe(i % 3 === 0 ? "rejected" : "accepted");
    expect([...settled].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(await Promise.all(hostile)).toEqual([timedOut(0), timedOut(0), timedOut(0)]);
    expect(took).toBeLessThan(5_000);
  });

  it("does not pile up where many come at once", async () => {
    const many = Array.from({ length: 10 }, () => pool.validate([endless("endless-many")], { a: 1 }));
    const other = pool.validate([greeting], { n: 1 });
    expect(await Promise.all(many)).toEqual(many.map(() => timedOut(0)));
    expect(await other).toEqual({ accepted: 0 });
  });
});

describe("checking and comparing documents", () => {
  it("gives the reasons of the rules", async () => {
    expect(await pool.check({ type: "object" })).toEqual([]);
    expect((await pool.check({ $async: true }))[0]?.keyword).toBe("$async");
    expect((await pool.check(undefined))[0]?.keyword).toBe("type");
  });

  it("refuses a document that nests without end", async () => {
    let schema: object = {};
    for (let i = 0; i < 100_000; i++) schema = { not: schema };
    expect((await pool.check(schema))[0]?.keyword).toBe("depth");
  });

  it("gives up a document that takes too long, and others do not wait for it", async () => {
    const pattern = (i: number) => [`p${i}`, { pattern: `^(\\p{L}{31}){31}${i}$` }];
    const properties = Object.fromEntries(Array.from({ length: 700 }, (_, i) => pattern(i)));
    const late = pool.check({ properties });
    const order: string[] = [];
    const others = [pool.check({ type: "object" }), pool.check({ type: "none" })];
    late.then(() => order.push("late"));
    await Promise.all(others).then(() => order.push("others"));
    expect((await late).map(({ keyword }) => keyword)).toEqual(["timeout"]);
    expect(order).toEqual(["others", "late"]);
  });

  it("compares two versions", async () => {
    expect(await pool.compare({ type: "string" }, { type: "string" })).toEqual([]);
  });
});

/** Threads of this process that give way to others: how much is field 19 of proc_pid_stat(5). */
async function yielding(): Promise<string[]> {
  const tasks = await readdir("/proc/self/task");
  const isNice = await Promise.all(
    tasks.map(async (task) => {
      // A thread may end meanwhile.
      const stat = await readFile(`/proc/self/task/${task}/stat`, "utf8").catch(() => ") R");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]) > 0;
    }),
  );
  return tasks.filter((_task, n) => isNice[n]);
}

describe.runIf(process.platform === "linux")("what may be slow", () => {
  it("gives way to everything else: documents, and schemas that have timed out, but not payloads at large", async () => {
    const own = new ValidatorPool();
    const before = new Set(await yielding());
    const added = async () => (await yielding()).filter((task) => !before.has(task)).length;
    await own.validate([greeting], { n: 1 });
    expect(await added()).toBe(0);
    await own.check({ type: "object" });
    expect(await added()).toBe(1);
    await own.validate([endless("yields")], {});
    const again = own.validate([endless("yields")], {});
    await expect.poll(added, { interval: 5 }).toBeGreaterThan(1);
    await again;
    own.close();
  });

  it("is told to stop, and its thread goes on with the next", async () => {
    const own = new ValidatorPool();
    const before = new Set(await yielding());
    const added = async () => (await yielding()).filter((task) => !before.has(task));
    const late = () => own.validate([endless("stops")], {});
    for (let n = 0; n < 2; n++) await late();
    // The one that runs, and one that is kept ready.
    await expect.poll(added).toHaveLength(2);
    const threads = await added();
    for (let n = 0; n < 3; n++) expect(await late()).toEqual(timedOut(0));
    expect(await added()).toEqual(threads);
    own.close();
  });
});

describe("closing the pool", () => {
  it("fails what is under way and what comes after, as unavailable", async () => {
    const own = new ValidatorPool();
    const underWay = own.validate([greeting], { n: 1 });
    own.close();
    await expect(underWay).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(own.check({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
