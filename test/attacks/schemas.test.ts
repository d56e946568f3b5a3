import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, registerSchema } from "../harness/api-helpers.js";
import type { AgentClient, JsonResponse } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";

const { daemon, alice } = await daemonFixture(["alice"]);

const range = <Item>(length: number, item: (n: number) => Item): Item[] =>
  Array.from({ length }, (_, n) => item(n));

/** Returns `levels` definitions, each of which applies the one below it several times. */
function doubling(
  levels: number,
  apply: (below: object) => object,
  last: object = { type: "string" },
): object {
  const definitions = range(levels, (n) => [`d${n + 1}`, apply({ $ref: `#/$defs/d${n}` })]);
  return { $ref: `#/$defs/d${levels}`, $defs: { d0: last, ...Object.fromEntries(definitions) } };
}

let made = 0;
let bombers = 0;

/**
 * Registers a schema, and posts payloads under it. Returns the answers. A schema that is refused has no
 * further answers.
 */
async function attack(
  agent: AgentClient,
  json_schema: unknown,
  payloads: unknown[],
): Promise<JsonResponse[]> {
  const n = ++made;
  const subject = `@${agent.slug}/bomb-${n}`;
  const registered = await agent.post("/schemas", { subject, json_schema });
  if (registered.status !== 201) return [registered];
  await createSpace(agent, `bomb-${n}`, {
    root_rule: { allow_text: false, accepted_schemas: [registered.body.ref] },
  });
  const answers = [registered];
  for (const payload of payloads) answers.push(await agent.post("/wires", { to: `#bomb-${n}`, payload }));
  return answers;
}

const long = "a".repeat(60_000);
const numbers = range(20_000, (n) => n);

/** Schemas and payloads that are made to cost time or memory. */
const BOMBS: [string, object, ...unknown[]][] = [
  ["nested quantifiers", { pattern: "^(a+)+$" }, `${long}!`],
  ["alternatives that overlap", { pattern: "^(a|aa|a|a?)+$" }, `${long}!`],
  ["large repetitions", { pattern: "^((a{1,30}){1,30}){1,30}$" }, `${long}!`],
  [
    "many patterns of names",
    { patternProperties: Object.fromEntries(range(300, (n) => [`^(a|b)*${n}`, false])) },
    Object.fromEntries(range(2_000, (n) => [`ab${n}x`, 1])),
  ],
  ["doubling anyOf", doubling(60, (below) => ({ anyOf: [below, below] })), 1],
  ["doubling oneOf", doubling(60, (below) => ({ oneOf: [below, below] })), "x"],
  ["doubling not", doubling(60, (below) => ({ not: { not: { allOf: [below, below] } } })), 1],
  [
    "doubling references under unevaluatedProperties",
    {
      ...doubling(40, (below) => ({ anyOf: [below, below] }), { properties: { z: { type: "integer" } } }),
      unevaluatedProperties: false,
    },
    { a: 1 },
  ],
  [
    "doubling dependentSchemas",
    doubling(50, (below) => ({ dependentSchemas: { a: below, b: below } }), { required: ["c"] }),
    { a: 1, b: 1 },
  ],
  [
    "doubling $dynamicRef",
    {
      ...doubling(40, (below) => ({ anyOf: [below, below] }), { $dynamicRef: "#n" }),
      properties: { x: { $dynamicAnchor: "n", type: "null" } },
    },
    1,
  ],
  ["if over if", doubling(40, (below) => ({ if: below, else: below })), 1],
  ["a long chain of references", doubling(99, (below) => ({ allOf: [below] })), 1],
  [
    "recursion into a deep value",
    {
      items: { $ref: "#" },
      anyOf: [{ items: { $ref: "#" } }, { $ref: "#/$defs/t" }],
      $defs: { t: { items: { $ref: "#" } } },
    },
    JSON.parse(`${"[".repeat(55)}${"]".repeat(55)}`),
  ],
  ["uniqueItems of objects", { uniqueItems: true }, range(8_000, (n) => ({ a: { b: [n] } }))],
  ["uniqueItems of equal prefixes", { uniqueItems: true }, range(900, (n) => ["x".repeat(200), n])],
  ["contains over all items", { allOf: range(50, (n) => ({ contains: { const: -n - 1 } })) }, numbers],
  ["many errors", { items: { type: "string", enum: ["a"] } }, numbers],
  ["a huge enum", { items: { enum: range(4_000, (n) => `v${n}`) } }, range(6_000, (n) => `w${n}`)],
  ["a huge const", { items: { const: range(5_000, (n) => n) } }, range(100, () => range(400, (n) => n))],
  [
    "many properties",
    {
      properties: Object.fromEntries(range(1_500, (n) => [`p${n}`, { type: "string" }])),
      additionalProperties: false,
    },
    Object.fromEntries(range(10_000, (n) => [`q${n}`, n])),
  ],
  ["extreme numbers", { items: { multipleOf: 5e-324 } }, [1e308, -1e308, 5e-324, 0.1, 9007199254740991]],
  ["a large divisor", { items: { multipleOf: 1.7976931348623157e308 } }, [1e308, 1.7976931348623157e308, 0]],
  ...[
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "uri",
    "iri",
    "uri-template",
    "date-time",
    "duration",
    "regex",
    "json-pointer",
    "ipv6",
  ].map((format): [string, object, ...unknown[]] => [
    `the format ${format}`,
    { format },
    `${long}@${long}`,
    `${"a.".repeat(30_000)}!`,
    `${"(".repeat(30_000)}`,
    `${":1".repeat(30_000)}`,
  ]),
];

describe("a schema that is made to cost time", () => {
  // [D7-deadline]
  it.each(BOMBS)("gets an answer in time, and nothing fails: %s", async (_, schema, ...payloads) => {
    const [registered, ...posted] = await attack(
      await daemon.createAgent(`bomber-${++bombers}`),
      schema,
      payloads,
    );
    expect([201, 400], JSON.stringify(registered!.body).slice(0, 300)).toContain(registered!.status);
    for (const { status, body } of posted)
      expect([201, 422], JSON.stringify(body).slice(0, 300)).toContain(status);
  });

  it("does not stop the daemon", async () => {
    await registerSchema(alice, "after", { type: "string", pattern: "^x" });
    expect(daemon.process.exitCode).toBeNull();
    expect(daemon.log()).not.toContain('"level":50');
  });
});

describe("names that JavaScript objects inherit", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "prototype"];
  const withName = (name: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);

  it.each(names)("%s is a property like any other, in schemas and in payloads", async (name) => {
    const [, right, wrong, absent] = await attack(
      alice,
      {
        type: "object",
        properties: withName(name, { type: "string" }),
        required: [name],
        additionalProperties: false,
      },
      [withName(name, "x"), withName(name, { polluted: true }), {}],
    );
    expect([right!.status, wrong!.status, absent!.status]).toEqual([201, 422, 422]);
    const [, dependent] = await attack(alice, { dependentRequired: withName(name, ["other"]) }, [{}]);
    expect(dependent!.status).toBe(201);
    const [, named] = await attack(alice, { propertyNames: { enum: names } }, [withName(name, 1)]);
    expect(named!.status).toBe(201);
    const { body } = await alice.get("/profile");
    expect(body.polluted).toBeUndefined();
  });

  it.each(names)("%s is no keyword, no format and no anchor", async (name) => {
    for (const schema of [
      withName(name, {}),
      { format: name },
      { $ref: `#${name}` },
      { $ref: `#/${name}` },
    ]) {
      const [refused] = await attack(alice, schema, []);
      expect(refused!.status, JSON.stringify(schema)).toBe(400);
    }
    const schema = { $ref: `#/$defs/${name}`, $defs: withName(name, { type: "string" }) };
    const [, right, wrong] = await attack(alice, schema, ["x", 1]);
    expect([right!.status, wrong!.status]).toEqual([201, 422]);
  });
});

describe("text that would be code elsewhere", () => {
  const CODE = [
    `"];process.exit(1);//`,
    `'+process.exit(1)+'`,
    "`\u0024{process.exit(1)}`",
    "\\u0022);process.exit(1)//",
    "*/process.exit(1)/*",
    "\u2028process.exit(1)\u2029",
    "\n;process.exit(1)\r",
    "</script><script>process.exit(1)</script>",
    "\u0024{process.exit(1)}",
    "%s%n\u0000",
  ];

  it.each(CODE)("is text in every keyword: %j", async (text) => {
    const schema = {
      $comment: text,
      title: text,
      type: "object",
      properties: { [text]: { enum: [text], description: text } },
      required: [text],
      dependentRequired: { [text]: [text] },
      dependentSchemas: { [text]: { const: { [text]: text } } },
      $defs: { [text]: { const: text } },
      additionalProperties: false,
    };
    const [registered, right, wrong] = await attack(alice, schema, [
      { [text]: text },
      { [text]: `${text}!` },
    ]);
    expect([registered!.status, right!.status, wrong!.status]).toEqual([201, 201, 422]);
    const found = await expectOk(alice.get(`/schemas/${encodeURIComponent(registered!.body.ref)}`));
    expect(found.json_schema).toEqual(schema);
    for (const where of [
      { $id: text },
      { $anchor: text },
      { $ref: text },
      { pattern: text },
      { format: text },
    ]) {
      expect([201, 400]).toContain((await attack(alice, where, []))[0]!.status);
    }
    expect(daemon.process.exitCode).toBeNull();
  });
});

describe("a schema that exhausts the memory of its worker", () => {
  let mallory: AgentClient;
  beforeAll(async () => {
    mallory = await daemon.createAgent("mallory");
  });

  it("costs others nothing, and the next schema is checked", async () => {
    const wide = {
      properties: Object.fromEntries(range(600, (n) => [`p${n}`, { pattern: `(\\p{L}{1,30}){1,30}${n}` }])),
    };
    const attacking = attack(mallory, wide, []);
    await registerSchema(alice, "meanwhile", { type: "object" });
    expect([201, 400]).toContain((await attacking)[0]!.status);
    await registerSchema(mallory, "recovers", { type: "object" });
    expect(daemon.process.exitCode).toBeNull();
  });
});
