import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY, startDaemon, type TestDaemon } from "../harness/daemon.js";

const PATH = "/.well-known/oauth-protected-resource";

let embedded: TestDaemon;
let external: TestDaemon;

beforeAll(async () => {
  [embedded, external] = await Promise.all([startDaemon(EMBEDDED_IDENTITY), startDaemon({ isHosted: true })]);
});

afterAll(async () => {
  await Promise.all([embedded.stop(), external.stop()]);
});

const published = async ({ origin }: TestDaemon) => (await fetch(`${origin}${PATH}/v1`)).json();

describe("the protected resource metadata", () => {
  // [C-provider-published]
  it("contains the embedded provider, and the delivery of its codes", async () => {
    expect(await published(embedded)).toEqual({
      resource: embedded.base,
      resource_name: "Wireroom",
      authorization_servers: [`${embedded.origin}/identity`],
      scopes_supported: ["wireroom"],
      bearer_methods_supported: ["header"],
      wireroom_issuer: `${embedded.origin}/identity`,
      wireroom_client_id: "wireroom-cli",
      wireroom_codes: "log",
    });
  });

  // [C-provider-published]
  it("contains an external provider and its client id", async () => {
    const { issuer } = external;
    const document = await published(external);
    expect(document).toMatchObject({
      authorization_servers: [issuer.url],
      wireroom_issuer: issuer.url,
      wireroom_client_id: issuer.audience,
    });
    expect(document).not.toHaveProperty("wireroom_codes");
  });

  // [D13-resource-metadata]
  it.each(["", "/mcp", "/mcp/"])("of the MCP endpoint is at %s", async (path) => {
    const response = await fetch(`${embedded.origin}${PATH}${path}`);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({
      resource: `${embedded.origin}/mcp`,
      resource_name: "Wireroom",
      authorization_servers: [`${embedded.origin}/identity`],
      scopes_supported: ["wireroom"],
      bearer_methods_supported: ["header"],
    });
  });

  // [D13-resource-metadata]
  it("has the name by which a client on this machine addresses the daemon", async () => {
    const origin = embedded.origin.replace("127.0.0.1", "localhost");
    const { headers } = await fetch(`${origin}/mcp`, { method: "POST" });
    const url = `${origin}${PATH}/mcp`;
    expect(headers.get("www-authenticate")).toContain(`resource_metadata="${url}"`);
    expect(await (await fetch(url)).json()).toMatchObject({
      resource: `${origin}/mcp`,
      authorization_servers: [`${embedded.origin}/identity`],
    });
  });

  it("exists at no other path", async () => {
    expect((await fetch(`${embedded.origin}${PATH}/v1/`)).status).toBe(404);
  });
});

describe("a 401", () => {
  const challenge = async (path: string, { origin }: TestDaemon) => {
    const response = await fetch(`${origin}${path}`);
    expect(response.status).toBe(401);
    return response.headers.get("www-authenticate");
  };

  // [D13-challenge]
  it.each([
    ["/mcp", "/mcp"],
    ["/mcp/", "/mcp"],
    ["/v1/inbox", "/v1"],
  ])("of %s leads to the metadata of its resource", async (path, resource) => {
    const url = `${embedded.origin}${PATH}${resource}`;
    expect(await challenge(path, embedded)).toBe(`Bearer resource_metadata="${url}", scope="wireroom"`);
  });

  // [D13-no-server]
  it("is a bare challenge without an authorization server", async () => {
    for (const path of ["/mcp", "/v1/inbox"]) expect(await challenge(path, external)).toBe("Bearer");
  });
});

describe("the metadata of the authorization server", () => {
  const FORMS = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server/identity",
    "/.well-known/openid-configuration/identity",
    "/identity/.well-known/oauth-authorization-server",
    "/identity/.well-known/openid-configuration",
  ];

  // [D13-server-metadata] [D13-cors]
  it.each(FORMS)("is at %s, for web pages of any origin", async (path) => {
    const headers = { origin: "https://host.example" };
    const response = await fetch(`${embedded.origin}${path}`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    const issuer = `${embedded.origin}/identity`;
    expect(await response.json()).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/reg`,
      revocation_endpoint: `${issuer}/token/revocation`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: expect.arrayContaining(["wireroom"]),
    });
    const preflight = await fetch(`${embedded.origin}${path}`, {
      method: "OPTIONS",
      headers: { ...headers, "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  });

  // [D13-no-server]
  it("is not there with an external provider", async () => {
    for (const path of FORMS) expect((await fetch(`${external.origin}${path}`)).status, path).toBe(404);
  });
});
