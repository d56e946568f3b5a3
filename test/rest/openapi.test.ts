import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import openapiTypes, { astToString } from "openapi-typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { errorCodesOf, successStatuses } from "../../src/contract/operation.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { STATUS_OF } from "../harness/envelope.js";

const root = resolve(import.meta.dirname, "../..");
const versionIn = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")).version;

/** The statuses that each operation declares (docs/specification/requests.md#request-and-response). */
const SPECIFIED: Record<string, number[]> = {
  "POST /wires": [201, 400, 401, 403, 404, 422, 429],
  "GET /wires/{id}": [200, 401, 403, 404],
  "DELETE /wires/{id}": [200, 401, 403, 404],
  "GET /threads/{id}": [200, 401, 403, 404],
  "GET /inbox": [200, 401],
  "POST /knocks": [201, 400, 401, 403, 404, 429],
  "POST /spaces": [201, 400, 401, 429],
  "PUT /spaces/{slug}": [200, 400, 401, 403, 404],
  "GET /spaces/{slug}/wires": [200, 400, 401, 404],
  "GET /spaces/{slug}/search": [200, 400, 401, 404],
  "POST /schemas": [201, 400, 401, 403, 404, 429],
  "GET /schemas/{ref}": [200, 400, 401, 404],
  "GET /search": [200, 400, 401],
  "PUT /wires/{id}/vote": [200, 401, 403, 404],
  "DELETE /wires/{id}/vote": [200, 401, 403, 404],
  "GET /accounts/me": [200, 403],
  "GET /handles": [200, 403],
  "POST /handles": [201, 400, 403],
  "POST /keys": [201, 400, 403, 404],
  "DELETE /keys/{id}": [200, 403, 404],
};

/** Operations added later. They must stay in the document. */
const ADDED = [
  "GET /profile",
  "PUT /profile",
  "GET /knocks",
  "PUT /knocks/{id}",
  "GET /contacts",
  "DELETE /contacts/{handle}",
  "GET /blocks",
  "PUT /blocks/{handle}",
  "DELETE /blocks/{handle}",
  "GET /spaces",
  "GET /spaces/{slug}",
  "GET /spaces/{slug}/members",
  "DELETE /spaces/{slug}/wires/{id}",
  "GET /limits",
  "GET /keys",
  "GET /handles/{slug}/egress",
  "PUT /handles/{slug}/egress",
  "GET /approvals",
  "PUT /approvals/{id}",
  "GET /audit",
  "GET /export",
  "DELETE /handles/{slug}",
  "DELETE /operator/wires/{id}",
  "PUT /operator/handles/{slug}",
  "GET /operator/status",
  "GET /operator/handles",
  "GET /operator/handles/{slug}",
  "GET /operator/wires",
  "GET /operator/wires/{id}",
];

const { daemon } = await hostedFixture([], {});
let document: Body;
/** Operations of the document by method and path. */
const served: Record<string, Body> = {};

beforeAll(async () => {
  const response = await fetch(`${daemon.base}/openapi.json`);
  expect(response.headers.get("content-type")).toContain("application/json");
  document = await response.json();
  for (const [path, methods] of Object.entries<Body>(document.paths)) {
    for (const [method, operation] of Object.entries(methods))
      served[`${method.toUpperCase()} ${path}`] = operation;
  }
});

describe("the OpenAPI document", () => {
  // [D12-openapi] [S9-version] [D11-version] [S9-base-url]
  it("is OpenAPI 3.1, with the version of the package and the base URL of the daemon", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const page = readFileSync(join(root, "docs/specification/requests.md"), "utf8");
    const [, stated] = page.match(/`info\.version`, which is `(.+)`/)!;
    expect([document.info.version, versionIn("sdk/package.json"), stated]).toEqual(
      Array(3).fill(versionIn("package.json")),
    );
    expect(document.servers[0].url).toBe(daemon.base);
  });

  // [D12-openapi]
  it("passes the recommended rules of a linter", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-openapi-"));
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const lint = promisify(execFile)(
      process.execPath,
      [
        resolve("test/node_modules/@redocly/cli/bin/cli.js"),
        "lint",
        "--extends",
        "recommended",
        "--format",
        "json",
        file,
      ],
      { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    const { stdout } = await lint.catch((error: { stdout: string }) => error);
    await rm(folder, { recursive: true });
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  // [D12-openapi]
  it("gives openapi-typescript no type of an empty object, where any object is meant", async () => {
    const source = astToString(await openapiTypes(document));
    // The types of an absent part of the document are empty by design.
    const empty = source.match(/.*Record<string, never>.*/g)?.filter((line) => !line.startsWith("export "));
    expect(empty).toEqual([]);
    expect(source.match(/(json|inline)_schema\??: \{\s*\[key: string\]: unknown;\s*\}/g)).toHaveLength(5);
  });

  // [S4-statuses] [D11-only-added]
  it("contains every operation of the first version with its statuses", () => {
    for (const [name, statuses] of Object.entries(SPECIFIED)) {
      expect({ name, statuses: Object.keys(served[name]?.responses ?? {}).map(Number) }).toEqual({
        name,
        statuses: expect.arrayContaining(statuses),
      });
    }
  });

  // [D11-only-added]
  it("contains every operation added later", () => {
    expect(Object.keys(served)).toEqual(expect.arrayContaining(ADDED));
  });

  // [S4-statuses]
  it("declares exactly the statuses that each operation can return", () => {
    for (const operation of operations) {
      const errors = errorCodesOf(operation).map((code) => STATUS_OF[code]!);
      const statuses = new Set([...successStatuses(operation), ...errors]);
      const { responses } = served[`${operation.method} ${operation.path}`];
      expect(Object.keys(responses).map(Number).sort()).toEqual([...statuses].sort());
    }
    expect(Object.keys(served)).toHaveLength(operations.length);
  });

  // [D9-held-openapi]
  it("declares the 202 response of operations that can be held", () => {
    const held = Object.entries(served).filter(([, { responses }]) => "202" in responses);
    expect(held.map(([name]) => name).sort()).toEqual(["POST /knocks", "POST /wires"]);
    for (const [, { responses }] of held) {
      const { schema } = responses["202"].content["application/json"];
      expect(schema.properties.status.enum).toContain("held");
      expect(responses["202"].description).toContain("Held");
    }
  });

  // [D2-openapi-400]
  it("declares 400 for every operation with input", () => {
    for (const [name, { parameters = [], requestBody, responses }] of Object.entries(served)) {
      if (parameters.length > 0 || requestBody) expect({ name, ...responses }).toHaveProperty("400");
    }
  });

  // [D12-openapi]
  it("describes every parameter, field and schema, each with an example", () => {
    const bare: string[] = [];
    const check = (schema: Body, path: string) => {
      if (schema === null || typeof schema !== "object") return;
      if (Array.isArray(schema)) {
        for (const [n, part] of schema.entries()) check(part, `${path}/${n}`);
        return;
      }
      for (const [name, part] of Object.entries<Body>(schema.properties ?? {})) {
        const there = `${path}/${name}`;
        // A referenced schema is described at its definition.
        if (part.$ref) continue;
        if (!part.description) bare.push(`${there}: no description`);
        if (!part.examples) bare.push(`${there}: no example`);
      }
      for (const [key, part] of Object.entries(schema)) {
        if (!["examples", "example", "enum", "const"].includes(key)) check(part, `${path}/${key}`);
      }
    };
    check(document.components.schemas, "");
    for (const [name, operation] of Object.entries(served)) {
      if (!operation.summary) bare.push(`${name}: no summary`);
      check(operation.requestBody, name);
      check(operation.responses, name);
      for (const { name: parameter, description, schema, example } of operation.parameters ?? []) {
        if (!description) bare.push(`${name} ${parameter}: no description`);
        if (!schema.examples && example === undefined) bare.push(`${name} ${parameter}: no example`);
      }
    }
    expect(bare).toEqual([]);
  });

  // [S4-key-required]
  it("declares the security scheme of each operation", () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    for (const operation of operations) {
      const { security } = served[`${operation.method} ${operation.path}`];
      expect(security).toEqual(operation.auth === "token" ? [{ idToken: [] }] : undefined);
    }
  });

  // [D2-idempotent-once] [D2-idempotency-keys]
  it("declares Idempotency-Key for claims and every POST except those that return a secret once", () => {
    const SECRET_ONCE = ["POST /keys", "POST /handles/{slug}/token"];
    for (const [name, { parameters = [] }] of Object.entries(served)) {
      const offered = parameters.some((parameter: Body) => parameter.name === "Idempotency-Key");
      const isPost = name.startsWith("POST ") && !SECRET_ONCE.includes(name);
      const isOffered = isPost || name === "PUT /wires/{id}/claim";
      expect({ name, offered }).toEqual({ name, offered: isOffered });
    }
  });

  // [D4-headers]
  it("declares the RateLimit headers where the service sends them", () => {
    for (const { method, path, limits } of operations) {
      for (const [status, { headers }] of Object.entries<Body>(served[`${method} ${path}`].responses)) {
        const shown = "RateLimit" in headers && "RateLimit-Policy" in headers;
        const name = `${method} ${path} ${status}`;
        expect({ name, shown }).toEqual({ name, shown: limits.length > 0 && status !== "401" });
      }
    }
  });

  // [D11-deprecated]
  it("declares nothing as deprecated, and responses have the headers of what it declares so", async () => {
    expect(JSON.stringify(document)).not.toContain('"deprecated":true');
    for (const [name, { deprecated = false }] of Object.entries(served)) {
      const [method, path] = name.split(" ") as [string, string];
      const { headers } = await daemon.client().request(method, path.replace(/\{\w+\}/g, "x"));
      const sent = [headers.has("deprecation"), headers.has("sunset")];
      expect({ name, sent }).toEqual({ name, sent: [deprecated, deprecated] });
    }
  });
});
