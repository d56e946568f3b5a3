/** Dynamic registration: what is accepted, and floods of registrations and interactions. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityFixture } from "../harness/identity-fixture.js";
import {
  Application,
  newSource,
  OAuthHuman,
  type OAuthServer,
  oauthServer,
  REDIRECT,
  register,
} from "../harness/oauth.js";

let server: OAuthServer;
let aheadMs = 0;
const host = await identityFixture({ now: () => Date.now() + aheadMs });

beforeAll(async () => {
  server = oauthServer(host);
});

beforeEach(() => {
  aheadMs = 0;
});

describe("a registration", () => {
  // [D13-registration]
  it("gives a public client, and ignores other metadata", async () => {
    const { status, headers, body } = await register(server, {
      client_name: "An application",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      scope: "openid wireroom",
      application_type: "web",
      logo_uri: "http://127.0.0.1/logo",
      jwks_uri: "http://127.0.0.1/keys",
      sector_identifier_uri: "https://127.0.0.1/sector",
      post_logout_redirect_uris: ["https://evil.example/"],
      software_id: "x",
      wireroom_application: "x",
      client_id: "chosen",
      client_secret: "chosen",
    });
    expect(status).toBe(201);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      client_name: "An application",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(body.client_id).not.toBe("chosen");
    const absent = ["client_secret", "registration_access_token", "registration_client_uri", "jwks_uri"];
    for (const name of [...absent, "logo_uri", "wireroom_application"]) expect(body).not.toHaveProperty(name);
  });

  // [D13-registration]
  it.each<[string, object]>([
    ["a method with a secret", { token_endpoint_auth_method: "client_secret_basic" }],
    ["a method with a key", { token_endpoint_auth_method: "private_key_jwt" }],
    ["a name that is too long", { client_name: "x".repeat(101) }],
    ["a name that is no text", { client_name: 1 }],
  ])("with %s is refused", async (_what, metadata) => {
    const { status, body } = await register(server, { redirect_uris: [REDIRECT], ...metadata });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  });

  // [D13-registration]
  it.each<[string, unknown]>([
    ["none", []],
    ["too many", Array.from({ length: 21 }, (_, n) => `https://host.example/${n}`)],
    ["one that is too long", [`https://host.example/${"x".repeat(1_000)}`]],
    ["one that is no text", [1]],
    ["a text", REDIRECT],
  ])("with %s of the redirect URIs is refused", async (_what, uris) => {
    const { status, body } = await register(server, { redirect_uris: uris });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^invalid_/) },
    });
  });

  it.each(["[]", "null", "{", '{"redirect_uris":{"length":1}}', "x".repeat(70_000)])(
    "that is malformed is refused: %.20s",
    async (body) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": newSource() };
      const response = await fetch(`${host.origin}/identity/reg`, { method: "POST", headers, body });
      expect(response.status).toBe(400);
    },
  );

  it("has no operations to read or change it", async () => {
    const { body } = await register(server, { redirect_uris: [REDIRECT] });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await fetch(`${host.origin}/identity/reg/${body.client_id}`, {
        method,
        headers: { authorization: "Bearer x", "x-forwarded-for": newSource() },
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  // [D13-cors]
  it("may come from a web page, and so may the requests for tokens", async () => {
    for (const path of ["reg", "token", "token/revocation"]) {
      const response = await fetch(`${host.origin}/identity/${path}`, {
        method: "OPTIONS",
        headers: {
          origin: "https://host.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,mcp-protocol-version",
        },
      });
      expect(response.status, path).toBe(204);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "content-type,mcp-protocol-version",
      });
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
    const { clientId } = await Application.register(server);
    const response = await fetch(`${host.origin}/identity/token`, {
      method: "POST",
      headers: { origin: "https://host.example", "x-forwarded-for": newSource() },
      body: new URLSearchParams({ client_id: clientId, grant_type: "authorization_code", code: "x" }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a flood", () => {
  // [D13-registration-limits]
  it("of registrations of one source ends after 20 in an hour, and costs others nothing", async () => {
    const source = newSource();
    const send = () => register(server, { redirect_uris: [REDIRECT] }, source);
    for (let n = 0; n < 20; n++) expect((await send()).status).toBe(201);
    const refused = await send();
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect((await register(server, { redirect_uris: [REDIRECT] })).status).toBe(201);
    aheadMs += 3_600_000;
    expect((await send()).status).toBe(201);
  });

  // [D13-registration-limits]
  it("of registrations of one network ends, and costs others nothing", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 80; n++) {
      const source = `2001:db8:3:${n.toString(16)}::1`;
      for (let i = 0; i < 10; i++)
        statuses.push((await register(server, { redirect_uris: [REDIRECT] }, source)).status);
    }
    expect(statuses.filter((status) => status === 201).length).toBeLessThan(700);
    expect(statuses.at(-1)).toBe(429);
    expect((await register(server, { redirect_uris: [REDIRECT] })).status).toBe(201);
  });

  // [D13-registration-limits]
  it("of registrations leaves nothing: one ends after an hour, but after 30 days once a human has seen its page", async () => {
    const [unused, seen] = [await Application.register(server), await Application.register(server)];
    const human = await OAuthHuman.signUp(server);
    const page = await human.open(seen.authorizationUrl());
    expect(page.text).toContain("Connect");
    const status = async (application: Application) =>
      (
        await fetch(application.authorizationUrl(), {
          headers: { "x-forwarded-for": newSource() },
          redirect: "manual",
        })
      ).status;
    expect([await status(unused), await status(seen)]).toEqual([303, 303]);
    aheadMs += 61 * 60_000;
    expect([await status(unused), await status(seen)]).toEqual([400, 303]);
    aheadMs += 29 * 24 * 3_600_000;
    expect(await status(seen)).toBe(303);
    aheadMs += 24 * 3_600_000;
    expect(await status(seen)).toBe(400);
    await host.purge();
    const dump = await host.dump();
    expect([unused, seen].filter(({ clientId }) => dump.includes(clientId))).toEqual([]);
  });

  // [D13-registration-limits]
  it("of registrations that fills the store loses the oldest without a connection", async () => {
    const human = await OAuthHuman.signUp(server);
    const kept = await Application.register(server);
    await kept.connect(human, { newHandle: "kept" });
    await host.fillClients("older", 10_000);
    const next = await register(server, { redirect_uris: [REDIRECT] });
    expect(next.status).toBe(201);
    const registered = async (id: unknown) => (await host.dump()).includes(`"id":"${id}"`);
    expect(await registered(kept.clientId)).toBe(true);
    expect(await registered(next.body.client_id)).toBe(true);
    expect(await registered("older-1")).toBe(false);
  });

  // [D10-rows-capped]
  it("of authorization requests stores at most 120 interactions of one source at once", async () => {
    const application = await Application.register(server);
    const source = newSource();
    const before = await host.countRecords();
    const statuses = new Set<number>();
    for (let n = 0; n < 150; n++) {
      const response = await fetch(application.authorizationUrl(), {
        headers: { "x-forwarded-for": source },
        redirect: "manual",
      });
      statuses.add(response.status);
    }
    expect(statuses).toEqual(new Set([303, 429]));
    // An interaction and a session each.
    expect((await host.countRecords()) - before).toBeLessThanOrEqual(2 * 125);
  });
});
