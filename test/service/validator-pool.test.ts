import { readdir, readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { CompiledSchemas } from "../../src/service/validation/compiled-schemas.js";
import type { Candidate } from "../../src/service/validation/index.js";
import { ValidatorPool } from "../../src/service/validation/pool.js";
import { slowSchema, timeoutVerdict } from "./slow-schema.js";

/** The worker threads run the build output, so `npm run build` comes first. */
const pool = new ValidatorPool();
afterAll(() => pool.close());

const greeting: Candidate = {
  key: "greeting@1",
  document: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};
const text: Candidate = { key: "text@1", document: { type: "string" } };

describe("the validation of a payload", () => {
  it("returns the first schema that accepts it", async () => {
    expect(await pool.validate("account", [greeting], { n: 1 })).toEqual({ accepted: 0 });
    expect(await pool.validate("account", [text, greeting, { key: "any", document: {} }], { n: 1 })).toEqual({
      accepted: 1,
    });
  });

  it("returns the errors of the schema with the fewest errors, the first one in a tie", async () => {
    const strict = { key: "strict", document: { required: ["a", "b"], type: "object" } };
    expect(await pool.validate("account", [strict, greeting, text], {})).toEqual({
      rejected: 1,
      errors: [{ instancePath: "", keyword: "required", message: 'must have the property "n"' }],
    });
  });

  it("does not change the payload, with any names and values", async () => {
    const schema = {
      key: "awkward",
      document: { required: ["__proto__", "a"], properties: { a: { const: "\ud800\0" } } },
    };
    expect(
      await pool.validate("account", [schema], JSON.parse('{"__proto__": 1, "a": "\\ud800\\u0000"}')),
    ).toEqual({
      accepted: 0,
    });
  });

  it("reports that a document is not a schema", async () => {
    const verdict = await pool.validate("account", [{ key: "broken", document: { $ref: "#/none" } }], 1);
    expect(verdict).toMatchObject({ rejected: 0, errors: [{ keyword: "schema" }] });
  });

  it("evicts schemas if there are more than a thread caches", async () => {
    const large = (i: number) => ({
      key: `large-${i}`,
      document: { const: i, description: "x".repeat(30_000) },
    });
    for (const round of [1, 2]) {
      const verdicts = await Promise.all(
        Array.from({ length: 100 }, (_, i) => pool.validate("account", [large(i)], i)),
      );
      expect(
        verdicts.every((verdict) => "accepted" in verdict),
        `round ${round}`,
      ).toBe(true);
    }
  });
});

describe("the memory of a thread", () => {
  /** A schema of 600 characters whose patterns take 10 MB of memory. */
  const heavy = (n: number) => ({
    properties: Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`p${i}`, { pattern: `(?:ab?c?d?){1000}${n}x${i}` }]),
    ),
  });

  // [D7-fair]
  it("does not end with the cached patterns of many schemas", () => {
    const schemas = new CompiledSchemas(2 * 1024 * 1024);
    for (let n = 0; n < 12; n++) schemas.compile(`heavy-${n}`, heavy(n));
    const cached = Array.from({ length: 12 }, (_, n) => n).filter((n) => schemas.get(`heavy-${n}`));
    expect(cached).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  // [D7-fair]
  it("does not keep a schema that is larger than the cache", () => {
    const schemas = new CompiledSchemas(100_000);
    expect(schemas.compile("heavy", heavy(0))({ p0: "none" })).toHaveLength(1);
    expect(schemas.get("heavy")).toBeUndefined();
  });
});

describe("a validation that does not complete", () => {
  it("is terminated, and the verdict names the schema", async () => {
    expect(await pool.validate("account", [text, slowSchema("slow-1")], { a: 1 })).toEqual(timeoutVerdict(1));
    expect(await pool.validate("account", [slowSchema("slow-1"), text], { a: 1 })).toEqual(timeoutVerdict(0));
  });

  it("does not affect the verdicts and the order of other validations", async () => {
    const settled: number[] = [];
    const one = async (i: number) => {
      const payload = i % 3 === 0 ? { n: "x" } : { n: i };
      const verdict = await pool.validate("account", [greeting], payload);
      settled.push(i);
      return verdict;
    };
    const hostile = Array.from({ length: 3 }, (_, i) =>
      pool.validate("account", [slowSchema(`slow-${i + 2}`)], { a: 1 }),
    );
    const before = performance.now();
    const verdicts = await Promise.all(Array.from({ length: 300 }, (_, i) => one(i)));
    const took = performance.now() - before;
    for (const [i, verdict] of verdicts.entries())
      expect(Object.keys(verdict)[0]).toBe(i % 3 === 0 ? "rejected" : "accepted");
    expect([...settled].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(await Promise.all(hostile)).toEqual([timeoutVerdict(0), timeoutVerdict(0), timeoutVerdict(0)]);
    expect(took).toBeLessThan(5_000);
  });

  it("does not delay the others, even if there are many", async () => {
    const many = Array.from({ length: 10 }, () =>
      pool.validate("account", [slowSchema("slow-many")], { a: 1 }),
    );
    const other = pool.validate("account", [greeting], { n: 1 });
    expect(await Promise.all(many)).toEqual(many.map(() => timeoutVerdict(0)));
    expect(await other).toEqual({ accepted: 0 });
  });
});

describe("the check and the comparison of schema documents", () => {
  it("return the reasons of the rules", async () => {
    expect(await pool.check("account", { type: "object" })).toEqual([]);
    expect((await pool.check("account", { $async: true }))[0]?.keyword).toBe("$async");
    expect((await pool.check("account", undefined))[0]?.keyword).toBe("type");
  });

  it("reject a document with unlimited nesting", async () => {
    let schema: object = {};
    for (let i = 0; i < 100_000; i++) schema = { not: schema };
    expect((await pool.check("account", schema))[0]?.keyword).toBe("depth");
  });

  it("stop at a deadline, and do not delay other accounts", async () => {
    const pattern = (i: number) => [`p${i}`, { pattern: `^(\\p{L}{31}){31}${i}$` }];
    const properties = Object.fromEntries(Array.from({ length: 700 }, (_, i) => pattern(i)));
    const validateSlowSchema = pool.check("account", { properties });
    const order: string[] = [];
    const others = [pool.check("other", { type: "object" }), pool.check("other", { type: "none" })];
    validateSlowSchema.then(() => order.push("late"));
    await Promise.all(others).then(() => order.push("others"));
    expect((await validateSlowSchema).map(({ keyword }) => keyword)).toEqual(["timeout"]);
    expect(order).toEqual(["others", "late"]);
  });

  it("compare two versions", async () => {
    expect(await pool.compare("account", { type: "string" }, { type: "string" })).toEqual([]);
  });
});

/** Returns the ids of this process's threads, and their nice values (field 19 of proc_pid_stat(5)). */
async function niceValues(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const task of await readdir("/proc/self/task")) {
    // The thread may have ended.
    const stat = await readFile(`/proc/self/task/${task}/stat`, "utf8").catch(() => "");
    if (stat) found.set(task, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
  }
  return found;
}

/** Returns the ids of the threads that have a lower priority than the process. */
async function lowPriorityThreads(): Promise<string[]> {
  const values = await niceValues();
  const own = values.get(String(process.pid))!;
  return [...values].flatMap(([task, nice]) => (nice > own ? [task] : []));
}

describe.runIf(process.platform === "linux")("long work", () => {
  it("runs with a low priority: documents, and schemas that have timed out, but not other payloads", async () => {
    const own = new ValidatorPool();
    const before = new Set(await lowPriorityThreads());
    const added = async () => (await lowPriorityThreads()).filter((task) => !before.has(task)).length;
    await own.validate("account", [greeting], { n: 1 });
    await own.validate("account", [slowSchema("yields")], {});
    expect(await added()).toBe(0);
    await own.validate("account", [slowSchema("yields")], {});
    expect(await added()).toBe(1);
    await own.check("other", { type: "object" });
    expect(await added()).toBeGreaterThan(0);
    own.close();
  });

  it("is aborted, and its thread continues with the next work", async () => {
    const own = new ValidatorPool();
    const before = new Set(await lowPriorityThreads());
    const added = async () => (await lowPriorityThreads()).filter((task) => !before.has(task));
    const validateSlowSchema = () => own.validate("account", [slowSchema("stops")], {});
    for (let n = 0; n < 2; n++) await validateSlowSchema();
    const threads = await added();
    expect(threads).toHaveLength(1);
    for (let n = 0; n < 3; n++) expect(await validateSlowSchema()).toEqual(timeoutVerdict(0));
    expect(await added()).toEqual(threads);
    own.close();
  });
});

describe("closing the pool", () => {
  it("rejects current and later work as unavailable", async () => {
    const own = new ValidatorPool();
    const underWay = own.validate("account", [greeting], { n: 1 });
    own.close();
    await expect(underWay).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(own.check("account", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
