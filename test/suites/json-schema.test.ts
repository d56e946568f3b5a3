import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace } from "../harness/api-helpers.js";
import { printSuiteResult, readSuite, skipNote } from "../harness/conformance-suites.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";

interface Case {
  id: string;
  group: string;
  test: string;
  schema: unknown;
  data: unknown;
  valid: boolean;
  sendable: boolean;
}

const cases = readSuite<Case[]>("json-schema/cases.shared.json");
const traps = readSuite<Pick<Case, "schema" | "data" | "valid">[]>("json-schema/ajv-traps.json");

/**
 * Groups of the suite whose schemas are rejected, by the rule that rejects them
 * (docs/specification/schemas.md#accepted-documents).
 */
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

/**
 * Returns whether a case treats a format as an annotation. docs/specification/schemas.md#formats requires an
 * assertion.
 */
const isAnnotationOnly = (test: string) => /^invalid .* string is only an annotation by default$/.test(test);

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS_FEW_LOGS });
  agent = await daemon.createAgent("suite");
});
afterAll(() => daemon.stop());

/**
 * Registers a schema and creates a space that requires it. Returns null if the schema is rejected with 400.
 */
async function gatedSpace(schema: unknown, slug: string): Promise<string | null> {
  const registered = await agent.post("/schemas", { subject: `@suite/${slug}`, json_schema: schema });
  if (registered.status === 400) return null;
  expect(registered).toMatchObject({ status: 201 });
  const root_rule = { allow_text: false, accepted_schemas: [registered.body.ref] };
  await createSpace(agent, slug, { root_rule });
  return `#${slug}`;
}

/** Returns the expected status of a payload in a space that requires a schema. */
const statusOf = ({ valid }: { valid: boolean }) => (valid ? 201 : 422);

describe("the test suite of JSON Schema 2020-12", () => {
  it.skipIf(!cases)(
    `has the expected results, except for unsupported schemas${skipNote(cases)}`,
    async () => {
      const all = cases ?? [];
      const schemas = [...new Set(all.map(({ schema }) => JSON.stringify(schema)))];
      const spaces = await mapConcurrently(schemas, (json, n) => gatedSpace(JSON.parse(json), `case-${n}`));
      const spaceOf = ({ schema }: Case) => spaces[schemas.indexOf(JSON.stringify(schema))]!;
      const refused = all.filter((one) => spaceOf(one) === null);
      expect([...new Set(refused.map(({ group }) => group))].sort()).toEqual(
        Object.values(REFUSED).flat().sort(),
      );
      const sent = all.filter((one) => one.sendable && spaceOf(one) !== null);
      const statuses = await mapConcurrently(sent, async (one) => {
        return (await agent.post("/wires", { to: spaceOf(one), payload: one.data })).status;
      });
      const wrong = sent.filter((one, n) => statuses[n] !== statusOf(one));
      printSuiteResult("JSON-Schema-Test-Suite over HTTP", all.length, {
        "schema rejected at registration": refused.length,
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

  it.skipIf(!traps)(
    `has the expected results for documents for which Ajv 8.20 is wrong${skipNote(traps)}`,
    async () => {
      const statuses = await mapConcurrently(traps ?? [], async ({ schema, data }, n) => {
        const to = await gatedSpace(schema, `trap-${n}`);
        return (await agent.post("/wires", { to, payload: data })).status;
      });
      printSuiteResult("Ajv's traps over HTTP", statuses.length);
      expect(statuses).toEqual((traps ?? []).map(statusOf));
    },
  );
});
