import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";

const PATH = "/.well-known/oauth-protected-resource";

let embedded: TestDaemon;
let external: TestDaemon;

beforeAll(async () => {
  [embedded, external] = await Promise.all([startDaemon({ embeddedIdentity: true }), startDaemon()]);
});

afterAll(async () => {
  await Promise.all([embedded.stop(), external.stop()]);
});

const published = async ({ origin }: TestDaemon) => (await fetch(`${origin}${PATH}/v1`)).json();

describe("the protected resource metadata", () => {
  it("contains the embedded provider, and the delivery of its codes [C-provider-published]", async () => {
    expect(await published(embedded)).toEqual({
      resource: embedded.base,
      resource_name: "Wireroom",
      authorization_servers: [`${embedded.origin}/identity`],
      scopes_supported: ["openid", "email"],
      bearer_methods_supported: ["header"],
      wireroom_client_id: "wireroom-cli",
      wireroom_codes: "log",
    });
  });

  it("contains an external provider and its client id [C-provider-published]", async () => {
    const { issuer } = external;
    const document = await published(external);
    expect(document).toMatchObject({
      authorization_servers: [issuer.url],
      wireroom_client_id: issuer.audience,
    });
    expect(document).not.toHaveProperty("wireroom_codes");
  });

  it("exists only for the REST API: MCP clients use API keys, and must not start a sign-in", async () => {
    for (const path of [PATH, `${PATH}/mcp`, `${PATH}/v1/`])
      expect((await fetch(`${embedded.origin}${path}`)).status, path).toBe(404);
  });
});
