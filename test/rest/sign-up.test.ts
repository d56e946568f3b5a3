import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { EMBEDDED_IDENTITY, NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";

const { daemon } = await daemonFixture([], { ...EMBEDDED_IDENTITY, args: NO_LIMITS });

const PASSWORD = "correct horse battery staple";

const post = (path: string, body: object) =>
  fetch(`${daemon.origin}/identity/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const passwordGrant = (email: string, password = PASSWORD) =>
  fetch(`${daemon.origin}/identity/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "urn:wireroom:params:oauth:grant-type:password",
      client_id: "wireroom-cli",
      scope: "openid email",
      username: email,
      password,
    }),
  });

/** Waits for the confirmation code of an address in the daemon's log. */
async function codeFor(email: string): Promise<string> {
  const find = () =>
    daemon
      .log()
      .split("\n")
      .filter((line) => line.includes(email))
      .map((line) => (JSON.parse(line) as { code?: string }).code)
      .findLast((code) => code !== undefined);
  await expect.poll(find).toMatch(/^\d{6}$/);
  return find()!;
}

/** Signs up, confirms the address and signs in. Returns the ID token. */
async function newToken(email: string): Promise<string> {
  expect((await post("sign-up", { email, password: PASSWORD })).status).toBe(202);
  expect((await post("confirm", { email, code: await codeFor(email), password: PASSWORD })).status).toBe(200);
  const { id_token } = (await (await passwordGrant(email)).json()) as { id_token: string };
  return id_token;
}

describe("the embedded identity provider", () => {
  // [S5-sign-up] [D10-embedded] [D10-code-log] [D10-password-grant] [S1-humans-own]
  it("lets a human sign up, confirm with the code from the log, and create an agent that sends a wire", async () => {
    const human = daemon.client(await newToken("hannah@example.com"));
    expect((await expectOk(human.get("/accounts/me"))).email).toBe("hannah@example.com");
    const handle = await expectOk(human.post("/handles", { slug: "hannahs-agent" }), 201);
    const { key } = await expectOk(human.post("/keys", { handle_id: handle.id }), 201);
    await sendWire(daemon.client(key), "hannahs-agent", { text: "it works" });
  });

  // [S5-sign-up] [S5-worlds-apart]
  it("issues no token for an unconfirmed or wrong password, and its tokens have no agent's rights", async () => {
    await post("sign-up", { email: "late@example.com", password: PASSWORD });
    expect((await passwordGrant("late@example.com")).status).toBe(400);
    const token = await newToken("right@example.com");
    expect((await passwordGrant("right@example.com", "wrong password")).status).toBe(400);
    await expectRefused(daemon.client(token).get("/profile"), "UNAUTHORIZED");
  });

  // [D10-account] [D10-embedded]
  it("identifies the same account after a restart, also by an earlier token", async () => {
    const token = await newToken("stays@example.com");
    const account = await expectOk(daemon.client(token).get("/accounts/me"));
    await daemon.restart();
    expect(await expectOk(daemon.client(token).get("/accounts/me"))).toEqual(account);
  });
});
