/** Every input has a bound, so that no input can cost more than its bound. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { mcpTools } from "../../src/generate/mcp.js";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { jsonRpcToolCaller, postToMcp } from "../harness/mcp.js";
import { RawConnection, sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const embedded = await startDaemon({ isHosted: true, embeddedIdentity: true });
afterAll(() => embedded.stop());

type Json = Record<string, unknown>;

/** Any JSON value, which only the size and depth of the request body bound. */
const ANY_JSON = ["payload"];

/** Returns the pointers of the parts of a schema that accept a value of any size. */
function unbounded(schema: Json, path: string, resolve: (ref: string) => Json = () => ({})): string[] {
  const inner = (part: unknown, name: string) => unbounded(part as Json, `${path}/${name}`, resolve);
  if (typeof schema.$ref === "string") return unbounded(resolve(schema.$ref), path, resolve);
  const branches = ["anyOf", "oneOf", "allOf"].find((keyword) => keyword in schema);
  if (branches) return (schema[branches] as Json[]).flatMap((part, n) => inner(part, `${branches}/${n}`));
  if ("enum" in schema || "const" in schema) return [];
  const types = [schema.type].flat();
  const found: string[] = [];
  if (types[0] === undefined) found.push(`${path}: any value`);
  if (types.includes("string") && !(isCount(schema.maxLength) || isFinitePattern(schema.pattern)))
    found.push(`${path}: string`);
  if (
    (types.includes("integer") || types.includes("number")) &&
    !(isCount(schema.minimum) && isCount(schema.maximum))
  )
    found.push(`${path}: integer`);
  if (types.includes("array")) {
    if (!isCount(schema.maxItems)) found.push(`${path}: array`);
    found.push(...inner(schema.items ?? {}, "items"));
  }
  if (types.includes("object")) {
    const { properties = {}, additionalProperties } = schema as {
      properties?: Json;
      additionalProperties?: unknown;
    };
    if (additionalProperties !== false && !isCount(schema.maxProperties)) found.push(`${path}: object`);
    for (const [name, part] of Object.entries(properties)) {
      if (!ANY_JSON.includes(name)) found.push(...inner(part, name));
    }
  }
  return found;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/**
 * Returns whether only texts of limited length match: the pattern is anchored and repeats nothing without a
 * limit.
 */
function isFinitePattern(pattern: unknown): boolean {
  return (
    typeof pattern === "string" &&
    /^\^.*\$$/.test(pattern) &&
    !/[*+]|,\}/.test(pattern.replace(/\[[^\]]*\]/g, "C"))
  );
}

describe("every input of every operation has a bound", () => {
  // [D2-bounded]
  it.each(operations.map((operation) => [operation.id, operation.input as Json] as const))(
    "in the contract: %s",
    (id, input) => expect(unbounded(input, id)).toEqual([]),
  );

  // [D2-bounded]
  it("in the OpenAPI document", () => {
    const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Json;
    const resolve = (ref: string) =>
      ref
        .slice(2)
        .split("/")
        .reduce((part, key) => part[key.replaceAll("~1", "/")] as Json, document);
    const found: string[] = [];
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        for (let parameter of parameters as Json[]) {
          if (typeof parameter.$ref === "string") parameter = resolve(parameter.$ref);
          found.push(...unbounded(parameter.schema as Json, `${method} ${path} ${parameter.name}`, resolve));
        }
        const content = (requestBody as Json | undefined)?.content as Record<string, Json> | undefined;
        for (const { schema } of Object.values(content ?? {}))
          found.push(...unbounded(schema as Json, `${method} ${path} body`, resolve));
      }
    }
    expect(found).toEqual([]);
  });
});

describe("a value beyond its bound", () => {
  /** Returns a value that is larger than any bound, but of the right type. */
  function tooLarge(schema: Json): unknown {
    const types = [schema.type].flat();
    if (types.includes("string")) return "a".repeat(100_000);
    if (types.includes("integer")) return Number.MAX_SAFE_INTEGER;
    if (types.includes("array")) return Array.from({ length: 10_000 }, () => "@bob");
    if (types.includes("object"))
      return Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 0]));
    return undefined;
  }

  // [D2-bounded]
  it.each(mcpTools.map((tool) => [tool.definition.name, tool] as const))(
    "is refused by the tool %s for each of its arguments",
    async (name, { operation }) => {
      for (const [field, { schema }] of Object.entries(operation.fields)) {
        const value = tooLarge(schema as Json);
        if (value === undefined) continue;
        // Without an id, claim_wire is another operation.
        const id = name === "claim_wire" ? { id: "x" } : {};
        const { isError, body } = await jsonRpcToolCaller(daemon, alice).call(name, {
          ...id,
          [field]: value,
        });
        expect({ field, isError, body }).toMatchObject({
          field,
          isError: true,
          body: { code: "VALIDATION_ERROR" },
        });
        const pointers = body.errors.map(({ instancePath }: Json) => instancePath);
        expect(
          pointers.some((pointer: string) => pointer.startsWith(`/${field}`)),
          JSON.stringify(body),
        ).toBe(true);
      }
    },
  );
});

describe("a hostile text", () => {
  /** Texts that are slow to match for an expression that backtracks. */
  const HOSTILE = ["a", "-", ",", "/", '"', "a.", "a@", "<a ", "-a ", '"a the" '];

  // [D2-bounded] [D2-no-5xx]
  it.each(mcpTools.map((tool) => [tool.definition.name, tool] as const))(
    "in any argument of the tool %s is answered at once",
    async (name, { operation }) => {
      const began = performance.now();
      for (const [field, { schema }] of Object.entries(operation.fields)) {
        if (![(schema as Json).type].flat().includes("string")) continue;
        const texts = HOSTILE.map((part) => part.repeat(30_000 / part.length));
        await mapConcurrently(texts, async (text) => {
          const required =
            name === "search" ? { type: "handles" } : name === "search_wires" ? { slug: "none", q: "x" } : {};
          const { body } = await jsonRpcToolCaller(daemon, alice).call(name, { ...required, [field]: text });
          expect(body.code, JSON.stringify(body)).not.toBe("INTERNAL");
        });
      }
      // Each call takes milliseconds; an expression that backtracks would take minutes.
      expect(performance.now() - began).toBeLessThan(30_000);
    },
  );
});

describe("the JSON of an attacker", () => {
  const post = (text: string) => alice.post("/wires", text);

  // [D2-unknown-field] [D2-text-verbatim]
  it("cannot change the prototype of anything, in input, payload or query", async () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const payload = `{"${name}":{"polluted":true,"text":"x"}}`;
      const { body } = await post(`{"to":"alice","payload":${payload}}`);
      const response = await fetch(`${daemon.base}/wires/${body.id}`, {
        headers: { authorization: `Bearer ${alice.key}` },
      });
      expect(await response.text()).toContain(`"payload":${payload}`);
      expect((await post(`{"to":"alice","${name}":{"text":"x"}}`)).status).toBe(400);
      expect((await alice.get(`/search?type=handles&${name}[text]=x&${name}=y`)).body).toEqual([]);
      const tool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_wire","arguments":{"to":"alice","${name}":{"text":"x"}}}}`;
      expect((await postToMcp(daemon, alice.key, tool)).body.result.structuredContent).toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    expect((await alice.post("/wires", { to: "alice" })).status).toBe(400);
  });

  // [D2-duplicate-keys]
  it("with a duplicate key is rejected at every level of an MCP message", async () => {
    const call = (args: string, extra = "") =>
      postToMcp(
        daemon,
        alice.key,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_wire"${extra},"arguments":${args}}}`,
      );
    for (const args of [
      '{"to":"alice","text":"a","text":"b"}',
      '{"to":"alice","payload":{"a":[{"b":1,"\\u0062":2}]}}',
    ])
      expect((await call(args)).body.result.structuredContent).toMatchObject({ code: "VALIDATION_ERROR" });
    const outside = await call('{"to":"alice","text":"a"}', ',"name":"delete_wire"');
    expect({ status: outside.status, result: outside.body.result }).toEqual({
      status: 400,
      result: undefined,
    });
  });
});

describe("the number of", () => {
  const KIB = 1024;
  /**
   * Sends a request, closed afterwards, to the daemon that has identity pages. Returns the status, or
   * undefined if there is no response.
   */
  const send = async (head: string, body = "") => {
    const request = `${head}\r\nHost: localhost\r\n`;
    return (await sendRawRequest(embedded.origin, request.replace("\r\n", " HTTP/1.1\r\n") + body))?.status;
  };
  const get = (path: string, headers = "") => send(`GET ${path}`, `${headers}\r\n`);
  const form = (path: string, fields: string) =>
    send(
      `POST ${path}`,
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${fields.length}\r\n\r\n${fields}`,
    );
  const json = (path: string, value: unknown) => {
    const text = JSON.stringify(value);
    return send(
      `POST ${path}`,
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
  };
  /** A body in pieces of one byte. */
  const inPieces = (count: number) =>
    `Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(count)}0\r\n\r\n`;
  const batch = (length: number) =>
    postToMcp(
      daemon,
      alice.key,
      Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
    ).then(({ status }) => status);
  const registration = (count: number) =>
    json("/identity/reg", {
      redirect_uris: Array.from({ length: count }, (_, n) => `https://app.example/${n}`),
      token_endpoint_auth_method: "none",
    });
  const ENVELOPE = '{"to":"alice","payload":}';
  const payload = (text: string) =>
    alice.post("/wires", `{"to":"alice","payload":${text}}`).then(({ status }) => status);
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const filled = (open: string, part: (n: number) => string, close: string, bytes: number) => {
    let text = open;
    for (let n = 0; text.length + part(n).length + ENVELOPE.length <= bytes - close.length; n++)
      text += part(n);
    return text.padEnd(bytes - ENVELOPE.length - close.length) + close;
  };
  const keys = (bytes: number) => filled('{"":0', (n) => `,"${n}":0`, "}", bytes);
  const members = (bytes: number) => filled("[0", () => ",0", "]", bytes);

  /** A name, and the status at the bound and beyond it. */
  const ROWS: [
    name: string,
    atBound: () => Promise<unknown>,
    status: unknown,
    beyond: () => Promise<unknown>,
    refused: unknown,
  ][] = [
    [
      "query parameters",
      () => get(`/healthz?${"a&".repeat(199)}a`),
      200,
      () => get(`/healthz?${"a&".repeat(200)}a`),
      400,
    ],
    [
      "headers",
      () => get("/healthz", "a:\r\n".repeat(1_999)),
      200,
      () => get("/healthz", "a:\r\n".repeat(2_000)),
      400,
    ],
    [
      "cookies, by the size of the headers",
      () => get("/identity/auth?client_id=wireroom-cli", `Cookie: ${"a=;".repeat(10_000)}\r\n`),
      400,
      () => get("/healthz", `Cookie: ${"a=;".repeat(11_000)}\r\n`),
      400,
    ],
    [
      "media types in Accept, by the size of the headers",
      () => get("/identity/nothing", `Accept: ${"a/b,".repeat(8_000)}\r\n`),
      404,
      () => get("/healthz", `Accept: ${"a/b,".repeat(8_200)}\r\n`),
      400,
    ],
    [
      "hops in X-Forwarded-For, by the size of the headers",
      () => get("/identity/me", `X-Forwarded-For: ${"::1,".repeat(8_000)}\r\n`),
      401,
      () => get("/healthz", `X-Forwarded-For: ${"::1,".repeat(8_200)}\r\n`),
      400,
    ],
    [
      "segments of a path, by the size of the head",
      () => get(`/v1${"/a".repeat(16_000)}`),
      404,
      () => get(`/v1${"/a".repeat(16_400)}`),
      400,
    ],
    [
      "scopes, by the size of the head",
      () => get(`/identity/auth?client_id=wireroom-cli&scope=${"a+".repeat(16_000)}`),
      400,
      () => get(`/identity/auth?scope=${"a+".repeat(16_400)}`),
      400,
    ],
    [
      "pieces of a body",
      () => send("POST /v1/wires", inPieces(1_066)),
      401,
      () => send("POST /v1/wires", inPieces(1_067)),
      undefined,
    ],
    ["redirect URIs", () => registration(20), 201, () => registration(21), 400],
    [
      "fields of a form, of which those beyond the bound are not read",
      () => form("/identity/token", `${"a=&".repeat(998)}client_id=wireroom-cli&grant_type=password`),
      400,
      () => form("/identity/token", `${"a=&".repeat(30_000)}`),
      400,
    ],
    ["MCP messages", () => batch(20), 200, () => batch(21), 400],
    ["levels of JSON", () => payload(nested(63)), 201, () => payload(nested(64)), 400],
    [
      "keys of an object, by the size of the body",
      () => payload(keys(256 * KIB)),
      201,
      () => payload(keys(256 * KIB + 1)),
      400,
    ],
    [
      "members of an array, by the size of the body",
      () => payload(members(256 * KIB)),
      201,
      () => payload(members(256 * KIB + 1)),
      400,
    ],
  ];

  // [D2-bounded]
  it.each(ROWS)("%s is bounded, and cheap at its bound", async (_, atBound, status, beyond, refused) => {
    // Both load modules.
    await get("/identity/auth");
    await beyond();
    const began = performance.now();
    expect(await atBound()).toBe(status);
    // Each takes a few milliseconds; what takes quadratic time would take seconds.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await beyond()).toBe(refused);
  });

  // [D2-query-parameters]
  it("query parameters is bounded on every path, in the usual envelope", async () => {
    const query = "a&".repeat(15_000);
    const paths = [
      "/v1/inbox",
      "/v1/nothing",
      "/v1/openapi.json",
      "/mcp",
      "/healthz",
      "/metrics",
      "/console/",
      "/nothing",
    ];
    for (const path of [
      ...paths,
      "/identity/me",
      "/identity/auth",
      "/identity/session/end",
      "/.well-known/oauth-protected-resource",
    ]) {
      const response = await fetch(`${embedded.origin}${path}?${query}`);
      expect({ path, status: response.status, body: await response.json() }).toEqual({
        ...{ path, status: 400 },
        body: { code: "VALIDATION_ERROR", message: "the URL must have at most 200 query parameters" },
      });
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  // [D2-bounded]
  it("pieces of a body that nobody reads is bounded, too", async () => {
    for (const head of ["POST /v1/wires", "GET /healthz", "POST /identity/nothing"]) {
      const connection = await RawConnection.open(embedded.origin);
      connection.send(`${head} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
      await connection.readResponse();
      connection.send("1\r\n \r\n".repeat(16_385));
      expect(await connection.readResponse()).toBeUndefined();
    }
  });
});
