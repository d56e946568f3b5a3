import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, QUIET, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { inFlight } from "../harness/in-flight.js";
import { printFigures, reasonToSkip, suite } from "../harness/suites.js";
import { createSpace } from "../harness/talk.js";

interface Case {
  id: string;
  group: string;
  test: string;
  schema: unknown;
  data: unknown;
  valid: boolean;
  sendable: boolean;
}

const cases = suite<Case[]>("json-schema/cases.shared.json");
const traps = suite<Pick<Case, "schema" | "data" | "valid">[]>("json-schema/ajv-traps.json");

/** Groups whose schemas are refused, by the rule that refuses them (decisions, section 7). */
const REFUSED: Record<string, string[]> = {
  "a schema is an object": ["boolean schema 'true'"],
  "a $ref stays inside of the document": [
    "$ref and $dynamicAnchor are independent of order - $ref first",
    "$ref to $dynamicRef finds detached $dynamicAnchor",
    "Location-independent identifier in remote ref",
    "anchor within remote ref",
    "base URI change",
    "fragment within remote ref",
    "ref within remote ref",
    "refs to historic drafts are processed as historic drafts",
    "remote HTTP ref with different URN $id",
    "remote HTTP ref with nested absolute ref",
    "strict-tree schema, guards against misspelled properties",
    "validate definition against metaschema",
  ],
  "a keyword has the one that it needs": [
    "ignore if without then or else",
    "maxContains < minContains",
    "maxContains without contains is ignored",
    "ref to if",
    "unevaluatedProperties can see annotations from if without then and else",
  ],
  "a format is a known one": ["unknown format"],
  "a keyword is a known one": [
    "reference of an arbitrary keyword of a sub-schema",
    "reference of an arbitrary keyword of a sub-schema with encoded ref",
  ],
};

/** Cases that take a format for an annotation, where here it is asserted (decisions, section 7). */
const isAnnotationOnly = (test: string) => /^invalid .* string is only an annotation by default$/.test(test);

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ args: QUIET });
  agent = await daemon.agent("suite");
});
afterAll(() => daemon.stop());

/** Registers a schema and makes a space whose roots must be valid under it; null where it is refused with 400. */
async function gatedSpace(schema: unknown, slug: string): Promise<string | null> {
  const registered = await agent.post("/schemas", { subject: `@suite/${slug}`, json_schema: schema });
  if (registered.status === 400) return null;
  expect(registered).toMatchObject({ status: 201 });
  const root_rule = { allow_text: false, accepted_schemas: [registered.body.ref] };
  await createSpace(agent, slug, { root_rule });
  return `#${slug}`;
}

/** The status of a payload in a gated space that a case expects. */
const statusOf = ({ valid }: { valid: boolean }) => (valid ? 201 : 422);

describe("the test suite of JSON Schema 2020-12", () => {
  it.skipIf(!cases)(
    `comes out right, but for what the decisions rule out${reasonToSkip(cases)}`,
    async () => {
      const all = cases ?? [];
      const schemas = [...new Set(all.map(({ schema }) => JSON.stringify(schema)))];
      const spaces = await inFlight(schemas, (json, n) => gatedSpace(JSON.parse(json), `case-${n}`));
      const spaceOf = ({ schema }: Case) => spaces[schemas.indexOf(JSON.stringify(schema))]!;
      const refused = all.filter((one) => spaceOf(one) === null);
      expect([...new Set(refused.map(({ group }) => group))].sort()).toEqual(
        Object.values(REFUSED).flat().sort(),
      );
      const sent = all.filter((one) => one.sendable && spaceOf(one) !== null);
      const statuses = await inFlight(sent, async (one) => {
        return (await agent.post("/wires", { to: spaceOf(one), payload: one.data })).status;
      });
      const wrong = sent.filter((one, n) => statuses[n] !== statusOf(one));
      printFigures("JSON-Schema-Test-Suite over HTTP", all.length, {
        "their schema is refused, as the decisions say": refused.length,
        "null is no payload": all.filter((one) => !one.sendable && spaceOf(one) !== null).length,
        "formats are asserted": wrong.filter(({ test }) => isAnnotationOnly(test)).length,
        wrong: wrong.filter(({ test }) => !isAnnotationOnly(test)).length,
      });
      expect(
        wrong.filter(({ test }) => !isAnnotationOnly(test)).map(({ id, test }) => `${id} ${test}`),
      ).toEqual([]);
      expect(wrong).toEqual(sent.filter(({ test }) => isAnnotationOnly(test)));
    },
  );

  it.skipIf(!traps)(`comes out right where Ajv 8.20 is wrong${reasonToSkip(traps)}`, async () => {
    const statuses = await inFlight(traps ?? [], async ({ schema, data }, n) => {
      const to = await gatedSpace(schema, `trap-${n}`);
      return (await agent.post("/wires", { to, payload: data })).status;
    });
    printFigures("Ajv's traps over HTTP", statuses.length);
    expect(statuses).toEqual((traps ?? []).map(statusOf));
  });
});
