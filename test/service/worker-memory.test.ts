/** The memory of a validation thread. It runs the build output, so `npm run build` comes first. */
import { Tinypool } from "tinypool";
import { afterAll, expect, it } from "vitest";
import { RESOURCE_LIMITS, WORKER_FILE } from "../../src/service/validation/pool.js";
import { PROGRESS, type TaskMessage } from "../../src/service/validation/protocol.js";

const thread = new Tinypool({
  filename: WORKER_FILE,
  name: "run",
  maxThreads: 1,
  idleTimeout: 60_000,
  resourceLimits: RESOURCE_LIMITS,
});
afterAll(() => thread.destroy());

/** Validates a payload under the schema, without the deadline of the pool. */
function validate(document: object, payload: unknown): Promise<unknown> {
  const task: TaskMessage["task"] = {
    kind: "validate",
    candidates: [{ key: "automata", document: JSON.stringify(document) }],
    payload: JSON.stringify(payload),
    deadlineMs: 60_000,
  };
  return thread.run({ task, progress: new Float64Array(PROGRESS.length) } satisfies TaskMessage);
}

// [D7-fair]
it("does not end with the automata that the patterns of a schema get while they are used", async () => {
  // A pattern compiles to 20 instructions. Its automaton takes 8 MB after a long text.
  const letters = Array.from({ length: 45 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const properties = Object.fromEntries(
    letters.map((letter, i) => [`p${i}`, { pattern: `[ab${letter}]*a[ab${letter}]{14}$` }]),
  );
  const random = () => (Math.random() < 0.5 ? "a" : "b");
  for (const i of letters.keys()) {
    const payload = { [`p${i}`]: Array.from({ length: 30_000 }, random).join("") };
    expect(await validate({ properties }, payload)).toHaveProperty("verdict");
  }
}, 120_000);
