/**
 * fast-check arbitraries for requests, generated from the contract: valid, nearly valid and malformed ones.
 */
import fc, { type Arbitrary } from "fast-check";
import type { Field, Operation } from "../../src/contract/operation.js";

export type Json = Record<string, unknown>;

/** Names of existing resources by input field. Valid requests take most of their names from here. */
export type KnownNames = Readonly<Record<string, readonly unknown[]>>;

/** The flat input of an operation, before it is divided into path, query and body. */
export type FlatInput = Record<string, unknown>;

const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }) as Arbitrary<unknown>;
const unusualStrings = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "null",
  "-1",
  "\u{1F600}",
  "é",
  "%",
  "a".repeat(9_000),
);

/** Generates values that the schema accepts. */
export function valueMatching(schema: Json): Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Json[]).map(valueMatching));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valueMatching({ ...schema, type })));
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1_000) });
    case "string":
      return stringMatching(schema);
    case "array":
      return fc.array(valueMatching(schema.items as Json), {
        maxLength: Math.min(Number(schema.maxItems ?? 3), 3),
      });
    case "object":
      return objectMatching(schema);
    default:
      return anyJson;
  }
}

function stringMatching(schema: Json): Arbitrary<string> {
  if (schema.format === "date-time") return fc.constant("2999-01-02T03:04:05.678Z");
  if (typeof schema.pattern === "string") return fc.stringMatching(new RegExp(schema.pattern));
  const longest = Math.min(Number(schema.maxLength ?? 60), 60);
  return fc.string({ unit: "grapheme", minLength: Number(schema.minLength ?? 0), maxLength: longest });
}

function objectMatching(schema: Json): Arbitrary<unknown> {
  const properties = schema.properties as Record<string, Json> | undefined;
  if (!properties) return fc.dictionary(fc.string(), anyJson, { maxKeys: 3 });
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, valueMatching(part)]),
  );
  return fc.record(values, { requiredKeys: (schema.required as string[] | undefined) ?? [] });
}

/** Generates input that the contract accepts, mostly about existing resources. */
export function validInput(operation: Operation, pools: KnownNames): Arbitrary<FlatInput> {
  const fields = Object.entries(operation.fields);
  const values = fields.map(([name, field]) => [name, fieldValue(operation, name, field, pools)] as const);
  const requiredKeys = fields.filter(([, field]) => field.required).map(([name]) => name);
  return fc.record(Object.fromEntries(values), { requiredKeys }) as Arbitrary<FlatInput>;
}

function fieldValue(operation: Operation, name: string, field: Field, pools: KnownNames): Arbitrary<unknown> {
  const pool = pools[`${operation.id}.${name}`] ?? pools[name];
  const value = valueMatching(field.schema as Json);
  return pool ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pool) }, value) : value;
}

/** Generates valid input with one unusual or invalid change. */
export function mutatedInput(operation: Operation, pools: KnownNames): Arbitrary<FlatInput> {
  const names = Object.keys(operation.fields);
  const name = fc.constantFrom(...(names.length > 0 ? names : ["nothing"]));
  const junk = fc.oneof(anyJson, unusualStrings, fc.double(), fc.constant(null), fc.integer());
  const change = fc.oneof(
    name.map((key) => (input: FlatInput) => without(input, key)),
    fc.tuple(name, junk).map(([key, value]) => (input: FlatInput) => ({ ...input, [key]: value })),
    fc.tuple(fc.string(), junk).map(([key, value]) => (input: FlatInput) => ({
      ...input,
      [`x${key}`]: value,
    })),
    fc.tuple(name, fc.nat()).map(
      ([key, at]) =>
        (input: FlatInput) =>
          withCharacterReplaced(input, key, at),
    ),
    fc.constant((input: FlatInput) => ({
      ...input,
      ...(JSON.parse(`{"__proto__":{"slug":"x"},"constructor":1}`) as FlatInput),
    })),
  );
  return fc.tuple(validInput(operation, pools), change).map(([input, apply]) => apply(input));
}

function without(input: FlatInput, key: string): FlatInput {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== key));
}

/** Returns the input with one character of a text replaced by a special character. */
function withCharacterReplaced(input: FlatInput, key: string, at: number): FlatInput {
  const value = input[key];
  if (typeof value !== "string" || value === "") return { ...input, [key]: [value] };
  const index = at % value.length;
  const odd = "\u0000/%?#@ \"'\\"[at % 10]!;
  return { ...input, [key]: value.slice(0, index) + odd + value.slice(index + 1) };
}

/** An HTTP request without host and connection. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Builds the request of an input in the same way as a correct client. */
export function toRequest(operation: Operation, input: FlatInput): WireRequest {
  const query: string[] = [];
  const body: FlatInput = {};
  let path = `/v1${operation.path}`;
  for (const [name, value] of Object.entries(input)) {
    const place = operation.fields[name]?.place ?? (operation.method === "GET" ? "query" : "body");
    const text = typeof value === "string" ? value : String(JSON.stringify(value));
    if (place === "path") path = path.replace(`{${name}}`, encode(text) || "%20");
    else if (place === "query") query.push(`${encode(name)}=${encode(text)}`);
    else Object.defineProperty(body, name, { value, enumerable: true });
  }
  const hasBody = operation.method !== "GET" && Object.keys(body).length > 0;
  return {
    method: operation.method,
    path: path.replace(/\{\w+\}/g, "-") + (query.length > 0 ? `?${query.join("&")}` : ""),
    headers: hasBody ? { "content-type": "application/json" } : {},
    body: hasBody ? JSON.stringify(body) : undefined,
  };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const rawText = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "{", "[]", "null", '{"a":1,"a":2}', '{"a":1e400}', '"\\ud800"', "{}{}", "\uFEFF{}"),
  fc.integer({ min: 60, max: 3_000 }).map((depth) => `{"payload":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  fc.integer({ min: 60, max: 3_000 }).map((depth) => '{"a":'.repeat(depth)),
);
/** Parts of a request target: visible ASCII, and some Latin-1. */
const rawTarget = fc.oneof(
  fc.constantFrom(
    "",
    "%",
    "%2",
    "%zz",
    "%00",
    "%2F",
    "%ff",
    "%ed%a0%80",
    "..",
    "%2e%2e",
    "//",
    "\u00ff",
    "@",
    ";",
  ),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
);
const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? "~" : String.fromCharCode(code))),
});
const oddHeaders = fc.record(
  {
    "idempotency-key": headerValue,
    "content-type": fc.oneof(headerValue, fc.constantFrom("text/plain", "application/json; charset=latin1")),
    "content-encoding": fc.constantFrom("gzip", "identity", "br", ""),
    accept: headerValue,
    cookie: headerValue,
    "x-request-id": headerValue,
    "x-http-method-override": fc.constantFrom("DELETE", "PUT"),
    forwarded: headerValue,
    authorization: fc.oneof(headerValue, fc.constantFrom("Bearer", "Bearer ", "Basic d3I6", "bearer wr_x")),
  },
  { requiredKeys: [] },
);

/** Generates requests for an operation with arbitrary path, headers and body. */
export function malformedRequest(operation: Operation, pools: KnownNames): Arbitrary<WireRequest> {
  const path = fc
    .tuple(validInput(operation, pools), fc.array(rawTarget, { minLength: 6, maxLength: 6 }), fc.boolean())
    .map(([input, parts, keep]) => {
      if (keep) return toRequest(operation, input).path;
      let next = 0;
      return `/v1${operation.path.replace(/\{\w+\}/g, () => parts[next++]!)}?${parts.slice(3).join("&")}`;
    });
  return fc
    .tuple(path, fc.option(rawText, { nil: undefined }), oddHeaders)
    .map(([target, body, headers]) => ({
      method: operation.method,
      path: target,
      headers: { "content-type": "application/json", ...headers } as Record<string, string>,
      body: operation.method === "GET" ? undefined : body,
    }));
}
