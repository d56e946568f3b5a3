/** The memory of a validation thread. It runs the build output, so `npm run build` comes first. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { packageFile } from "../../src/kernel/package-file.js";
import { type Report, STATUS, type WorkerData } from "../../src/service/validation/protocol.js";
import { RESOURCE_LIMITS } from "../../src/service/validation/worker-thread.js";

const status = new BigInt64Array(new SharedArrayBuffer(STATUS.length * BigInt64Array.BYTES_PER_ELEMENT));
const worker = new Worker(packageFile("dist/src/service/validation/worker.js"), {
  workerData: { isLowPriority: false, status } satisfies WorkerData,
  resourceLimits: RESOURCE_LIMITS,
});
afterAll(() => worker.terminate());

/** Validates a payload under the schema, without the deadline of a pool. */
async function validate(id: number, document: object, payload: unknown) {
  const task = { id, kind: "validate", candidates: [{ key: "automata", document }], payload };
  worker.postMessage(JSON.stringify([task]));
  for (;;) {
    const [report] = await once(worker, "message");
    const { results } = JSON.parse(report) as Report;
    if (results.length > 0) return results;
  }
}

it("does not end with the automata that the patterns of a schema get while they are used [D7-fair]", async () => {
  await once(worker, "message");
  // A pattern compiles to 20 instructions. Its automaton takes 8 MB after a long text.
  const letters = Array.from({ length: 45 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const properties = Object.fromEntries(
    letters.map((letter, i) => [`p${i}`, { pattern: `[ab${letter}]*a[ab${letter}]{14}$` }]),
  );
  const random = () => (Math.random() < 0.5 ? "a" : "b");
  for (const i of letters.keys()) {
    const payload = { [`p${i}`]: Array.from({ length: 30_000 }, random).join("") };
    expect(await validate(i + 1, { properties }, payload)).toMatchObject([{ id: i + 1 }]);
  }
}, 120_000);
