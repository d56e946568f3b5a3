import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { alice } = await hostedFixture(["alice"]);
let subjects = 0;

const newSubject = () => `@alice/subject-${subjects++}`;
const register = (subject: string, json_schema: object, compat?: string) =>
  alice.post("/schemas", { subject, json_schema, ...(compat && { compat }) });

/** Returns a schema for objects with the property `a`, in the keyword `dependencies` of older drafts. */
const dependencies = (schema: object, more: object = {}) => ({ dependencies: { a: schema }, ...more });

const OBJECT = { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } };

describe("a new schema version in backward mode", () => {
  // [D7-backward]
  it.each<[string, object, object]>([
    ["is the same", OBJECT, OBJECT],
    [
      "has its keys in another order",
      { type: "object", minProperties: 1 },
      { minProperties: 1, type: "object" },
    ],
    ["accepts more types", { type: "string" }, { type: ["string", "null"] }],
    [
      "adds an optional property to a closed object",
      { ...OBJECT, additionalProperties: false },
      { ...OBJECT, properties: { ...OBJECT.properties, c: {} }, additionalProperties: false },
    ],
    ["requires less", { ...OBJECT, required: ["a", "b"] }, { ...OBJECT, required: ["a"] }],
    [
      "widens a range",
      { type: "integer", minimum: 2, maximum: 5 },
      { type: "integer", minimum: 0, maximum: 10 },
    ],
    ["turns integer into number", { type: "integer" }, { type: "number" }],
    ["adds a value to an enum", { enum: ["a", "b"] }, { enum: ["a", "b", "c"] }],
    ["drops a pattern", { type: "string", pattern: "^a" }, { type: "string" }],
    ["removes constraints", { type: "string", format: "date" }, {}],
    ["adds a description", OBJECT, { ...OBJECT, description: "now with words" }],
    ["adds the format int64 to integers", { type: "integer" }, { type: "integer", format: "int64" }],
    ["widens a format of numbers", { type: "integer", format: "int32" }, { format: "int64" }],
    [
      "adds a format of numbers to small integers",
      { type: "integer", minimum: 0, maximum: 9 },
      { format: "int32" },
    ],
    ["adds a format that accepts all numbers", { type: "number" }, { type: "number", format: "double" }],
    ["adds a format of numbers to strings", { type: "string" }, { type: "string", format: "int32" }],
    ["loosens dependencies", dependencies({ minProperties: 3 }), dependencies({ minProperties: 2 })],
    ["drops a dependency", { dependencies: { a: ["b", "c"] } }, { dependencies: { a: ["c"] } }],
    [
      "divides dependencies by their kind",
      { dependencies: { a: ["b"], c: { minProperties: 2 } } },
      { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { minProperties: 2 } } },
    ],
  ])("is accepted if it %s", async (_, older, newer) => {
    const subject = newSubject();
    await expectOk(register(subject, older), 201);
    expect(await expectOk(register(subject, newer, "backward"), 201)).toMatchObject({ version: 2 });
  });

  // [D7-backward] [D7-breaking]
  it.each<[string, object, object, string]>([
    ["changes the type", { type: "string" }, { type: "number" }, "/type"],
    ["requires more", OBJECT, { ...OBJECT, required: ["a"] }, "/required/0"],
    ["narrows a range", { type: "number", minimum: 0 }, { type: "number", minimum: 1 }, "/minimum"],
    ["drops a value of an enum", { enum: ["a", "b"] }, { enum: ["a"] }, "/enum"],
    ["adds a format", { type: "string" }, { type: "string", format: "email" }, "/format"],
    [
      "narrows a property",
      OBJECT,
      { ...OBJECT, properties: { a: { type: "string", maxLength: 3 } } },
      "/properties/a/maxLength",
    ],
    [
      "adds a property with a schema to an open object",
      OBJECT,
      { ...OBJECT, properties: { ...OBJECT.properties, c: { type: "string" } } },
      "/properties/c",
    ],
    ["closes the object", OBJECT, { ...OBJECT, additionalProperties: false }, "/additionalProperties"],
    ["adds the format int32", { type: "integer" }, { type: "integer", format: "int32" }, "/format"],
    ["adds the format int64 to numbers", { type: "number" }, { type: "number", format: "int64" }, "/format"],
    ["narrows a format of numbers", { format: "int64" }, { format: "int32" }, "/format"],
    [
      "adds a dependency",
      { dependencies: { a: ["b"] } },
      { dependencies: { a: ["b", "c"] } },
      "/dependencies",
    ],
    [
      "narrows the target of a reference in dependencies",
      dependencies({ $ref: "#/$defs/whole" }, { $defs: { whole: { minProperties: 2 } } }),
      dependencies({ $ref: "#/$defs/whole" }, { $defs: { whole: { minProperties: 3 } } }),
      "/dependencies",
    ],
    [
      "closes an object whose properties dependencies evaluated",
      dependencies({ properties: { b: {} } }, { properties: { a: {} }, unevaluatedProperties: false }),
      { properties: { a: {} }, additionalProperties: false },
      "/additionalProperties",
    ],
  ])("is rejected with the position of the change if it %s", async (_, older, newer, place) => {
    const subject = newSubject();
    await expectOk(register(subject, older), 201);
    const { errors } = await expectRefused(register(subject, newer, "backward"), "VALIDATION_ERROR");
    expect(errors.map((reason: Body) => reason.instancePath)).toContain(place);
    expect(await expectOk(alice.get(`/schemas/${encodeURIComponent(subject)}`))).toMatchObject({
      version: 1,
    });
  });

  // [D7-backward]
  it.each<[string, object]>([
    [
      "whose host differs only in its case",
      {
        $ref: "//H/x",
        $defs: { a: { $id: "//H/x", type: "string" }, b: { $id: "//h/x", type: "object" } },
      },
    ],
    [
      "whose port is the default of http",
      {
        $ref: "//h:80/x",
        $defs: { a: { $id: "//h:80/x", type: "string" }, b: { $id: "//h/x", type: "object" } },
      },
    ],
    [
      "to the root of the document, beside the $id of a host that does not exist",
      {
        $ref: "#/$defs/b",
        $defs: { b: { type: "string" }, evil: { $id: "http://document.invalid/", $defs: { b: true } } },
      },
    ],
    [
      "into a contentSchema with an $id of its own",
      {
        $ref: "#/contentSchema/$defs/x",
        contentSchema: { $id: "other", $defs: { x: { $ref: "#/$defs/y" }, y: { type: "string" } } },
        $defs: { y: true },
      },
    ],
    [
      "to a dynamic anchor that a contentSchema has too",
      {
        $id: "http://r/x",
        $ref: "http://r/y",
        contentSchema: { $dynamicAnchor: "n", type: "string" },
        $defs: { y: { $id: "http://r/y", $dynamicRef: "#n", $defs: { b: { $dynamicAnchor: "n" } } } },
      },
    ],
  ])("resolves a reference %s as validation does", async (_, newer) => {
    const subject = newSubject();
    await expectOk(register(subject, { type: "object" }), 201);
    await expectRefused(register(subject, newer, "backward"), "VALIDATION_ERROR");
    await expectOk(register(subject, newer, "none"), 201);
    const space = `space-${subjects}`;
    await createSpace(alice, space, { root_rule: { allow_text: true, accepted_schemas: [subject] } });
    await expectRefused(alice.post("/wires", { to: `#${space}`, payload: {} }), "SCHEMA_VALIDATION_FAILED");
  });

  // [D7-breaking]
  it("is rejected with one error for each breaking change, as a pointer into the new document", async () => {
    const subject = newSubject();
    const older = { a: { type: ["string", "null"] }, b: { type: "integer" }, "c/d": { type: "string" } };
    await expectOk(register(subject, { type: "object", properties: older }), 201);
    const newer = {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "integer", maximum: 9 },
        "c/d": { type: "string", minLength: 1 },
        e: { type: "string", minLength: 1 },
      },
      required: ["a"],
    };
    const { errors, message } = await expectRefused(register(subject, newer, "backward"), "VALIDATION_ERROR");
    const places = errors.map((reason: Body) => reason.instancePath);
    expect(new Set(places)).toEqual(
      new Set([
        "/properties/a/type",
        "/properties/b/maximum",
        "/properties/c~1d/minLength",
        "/properties/e",
        "/required/0",
      ]),
    );
    // A property that the latest version did not list may have had any value.
    expect(errors.find((reason: Body) => reason.instancePath === "/properties/e").message).toContain(
      'accept any value here ({}), or register the schema under another subject. An object can get new properties if it has "additionalProperties": false',
    );
    expect(message).toContain(`${subject}@1`);
  });

  // [D7-backward]
  it("is compared with the latest version, not with an older one", async () => {
    const subject = newSubject();
    await expectOk(register(subject, { type: "string" }), 201);
    await expectOk(register(subject, { type: ["string", "number"] }, "backward"), 201);
    await expectRefused(register(subject, { type: "string" }), "VALIDATION_ERROR");
    await expectOk(register(subject, { type: ["string", "number", "null"] }), 201);
  });

  // [D7-backward] [D7-formats]
  it("must accept every value that the previous version accepts, including formats", async () => {
    const subject = newSubject();
    await expectOk(register(subject, { type: "string", format: "date-time" }), 201);
    await expectRefused(
      register(subject, { type: "string", format: "date" }, "backward"),
      "VALIDATION_ERROR",
    );
    await expectOk(register(subject, { type: "string", format: "date-time", minLength: 1 }, "none"), 201);
  });
});

describe("the compatibility mode", () => {
  // [D7-own-mode] [S9.4-modes]
  it("of a registration applies to that registration itself", async () => {
    const subject = newSubject();
    await expectOk(register(subject, { type: "string" }, "backward"), 201);
    await expectRefused(register(subject, { type: "number" }), "VALIDATION_ERROR");
    await expectRefused(register(subject, { type: "number" }, "backward"), "VALIDATION_ERROR");
    await expectOk(register(subject, { type: "number" }, "none"), 201);
    await expectOk(register(subject, { type: "boolean" }), 201);
    await expectRefused(register(subject, { type: "null" }, "backward"), "VALIDATION_ERROR");
  });

  // [D7-own-mode]
  it("has no effect on the first version", async () => {
    const subject = newSubject();
    expect(await expectOk(register(subject, { type: "string" }, "backward"), 201)).toMatchObject({
      version: 1,
    });
  });

  // [D7-backward]
  it("applies to each of many concurrent registrations: every stored version is compatible with the previous one", async () => {
    const subject = newSubject();
    await expectOk(register(subject, { enum: [0] }, "backward"), 201);
    const enums = Array.from({ length: 10 }, (_, n) => Array.from({ length: n + 2 }, (_, value) => value));
    const replies = await Promise.all(enums.map((values) => register(subject, { enum: values })));
    for (const { status } of replies) expect([201, 400]).toContain(status);
    expect(replies.filter(({ status }) => status === 201)).not.toEqual([]);
    const last = await expectOk(alice.get(`/schemas/${encodeURIComponent(subject)}`));
    let previous = 0;
    for (let version = 1; version <= last.version; version++) {
      const { json_schema } = await expectOk(
        alice.get(`/schemas/${encodeURIComponent(`${subject}@${version}`)}`),
      );
      expect(json_schema.enum.length).toBeGreaterThan(previous);
      previous = json_schema.enum.length;
    }
    expect(last.version).toBe(1 + replies.filter(({ status }) => status === 201).length);
  });
});
