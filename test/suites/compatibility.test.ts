import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, QUIET, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { inFlight } from "../harness/in-flight.js";
import { printFigures, reasonToSkip, suite } from "../harness/suites.js";

interface Case {
  name: string;
  old: unknown;
  new: unknown;
  backward_compatible: boolean;
}

const cases = suite<Case[]>("compat/compat.shared.json");

/** Cases that come out otherwise than the suite says, by name, and why. A breaking change may never be among them. */
const OTHERWISE: Record<string, string> = {};

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ args: QUIET });
  agent = await daemon.agent("suite");
});
afterAll(() => daemon.stop());

describe("pairs of schemas from public test suites", () => {
  it.skipIf(!cases)(`are told apart: breaking or not${reasonToSkip(cases)}`, async () => {
    const all = cases ?? [];
    const register = async (n: number, json_schema: unknown, compat: string) =>
      (await agent.post("/schemas", { subject: `@suite/pair-${n}`, json_schema, compat })).status;
    const statuses = await inFlight(all, async (one, n) => {
      const before = await register(n, one.old, "none");
      return before === 201 ? await register(n, one.new, "backward") : `old: ${before}`;
    });
    const named = (wanted: (one: Case, status: number | string) => boolean) =>
      all.filter((one, n) => wanted(one, statuses[n]!)).map(({ name }) => name);
    const notAsked = named((_, status) => status === "old: 400");
    const refused = named((one, status) => one.backward_compatible && status === 400);
    const accepted = named((one, status) => !one.backward_compatible && status === 201);
    printFigures("compatibility over HTTP", all.length, {
      "the old schema is refused": notAsked.length,
      "compatible, but refused": refused.length,
      "breaking, but accepted": accepted.length,
    });
    for (const status of statuses) expect([201, 400, "old: 400"]).toContain(status);
    expect(accepted).toEqual([]);
    expect([...notAsked, ...refused].sort()).toEqual(Object.keys(OTHERWISE).sort());
  });
});
