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

/** Compatible changes that are refused, by the reason why no rule covers them. */
const EXCEPTIONS: Record<string, string[]> = {
  "the rules do not list arrays of few values": [
    "jsoncompat unit unique_nested_small_array_item_domain_has_finite_capacity",
  ],
  "the rules do not compare different positions of an array": [
    "jsoncompat unit disjoint_tuple_positions_make_unique_items_redundant",
    "jsoncompat unit disjoint_tuple_positions_imply_unique_items",
  ],
  "the rules do not list the names that propertyNames allows": [
    "jsoncompat unit forbidden_finite_property_names_tighten_object_count_partition",
  ],
  "the rules do not compare patterns": [
    "apicurio#126 Conditional: else (reversed)",
    "jsonsubschema test_object.TestObjectSubtype.test_simple_obj3",
    "jsonsubschema test_object.TestObjectSubtype.test_tricky2",
    "jsonsubschema test_string.TestNotStringSubtype.test_not_str_and_join_string",
  ],
  "the rules do not cover unevaluated keywords beside alternatives or contains": [
    "containment valid/unevaluatedItems.json#22 s1<=s2",
    "containment valid/unevaluatedItems.json#36 s1<=s2",
    "containment valid/unevaluatedProperties.json#35 s1<=s2",
  ],
};

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
    expect([...notAsked, ...refused].sort()).toEqual(Object.values(EXCEPTIONS).flat().sort());
  });
});
