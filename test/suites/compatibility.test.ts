import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printSuiteResult, readSuite, skipNote } from "../harness/conformance-suites.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";

interface Case {
  name: string;
  old: unknown;
  new: unknown;
  backward_compatible: boolean;
}

const cases = readSuite<Case[]>("compat/compat.shared.json");

/**
 * Cases whose result differs from the suite, by name, with the reason. A breaking change must never be in
 * this list.
 */
const EXCEPTIONS: Record<string, string> = {};

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS_FEW_LOGS });
  agent = await daemon.createAgent("suite");
});
afterAll(() => daemon.stop());

describe("pairs of schemas from public test suites", () => {
  it.skipIf(!cases)(`are classified as breaking or compatible${skipNote(cases)}`, async () => {
    const all = cases ?? [];
    const register = async (n: number, json_schema: unknown, compat: string) =>
      (await agent.post("/schemas", { subject: `@suite/pair-${n}`, json_schema, compat })).status;
    const statuses = await mapConcurrently(all, async (one, n) => {
      const before = await register(n, one.old, "none");
      return before === 201 ? await register(n, one.new, "backward") : `old: ${before}`;
    });
    const named = (wanted: (one: Case, status: number | string) => boolean) =>
      all.filter((one, n) => wanted(one, statuses[n]!)).map(({ name }) => name);
    const notAsked = named((_, status) => status === "old: 400");
    const refused = named((one, status) => one.backward_compatible && status === 400);
    const accepted = named((one, status) => !one.backward_compatible && status === 201);
    printSuiteResult("compatibility over HTTP", all.length, {
      "the old schema is refused": notAsked.length,
      "compatible, but refused": refused.length,
      "breaking, but accepted": accepted.length,
    });
    for (const status of statuses) expect([201, 400, "old: 400"]).toContain(status);
    expect(accepted).toEqual([]);
    expect([...notAsked, ...refused].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
