/** Signing in with the secret in the data folder of a daemon. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { type DaemonOptions, EMBEDDED_IDENTITY, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { ENGINE } from "../harness/database.js";
import { confirmationCodes } from "../harness/human.js";
import { PASSWORD } from "../harness/identity-client.js";
import { Application, OAuthHuman } from "../harness/oauth.js";

const fileOf = ({ dataDir }: Pick<TestDaemon, "dataDir">) => join(dataDir, "local-sign-in");
const secretOf = async (daemon: Pick<TestDaemon, "dataDir">) =>
  (await readFile(fileOf(daemon), "utf8")).trimEnd();

const EMBEDDED: DaemonOptions = { embeddedIdentity: true };
const secret = "5ec4e7".repeat(10);
const daemon = await startDaemon({ ...EMBEDDED_IDENTITY, localSecret: secret });
afterAll(() => daemon.stop());

async function startOther(options: DaemonOptions): Promise<TestDaemon> {
  const other = await startDaemon({ ...EMBEDDED, ...options });
  onTestFinished(async () => void (await other.stop()));
  return other;
}

/** @param origin where to connect, by default the address on which the daemon listens */
async function signIn(
  body: object | string,
  headers: Record<string, string> = {},
  { origin }: { origin: string } = daemon,
) {
  // Node's fetch may not send some of these headers.
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      `${origin}/identity/local`,
      { method: "POST", headers: { "content-type": "application/json", ...headers } },
      async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode!, text });
      },
    );
    sent.on("error", reject);
    sent.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { status, body: JSON.parse(text) };
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${daemon.origin}/identity/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const token = (fields: Record<string, string>) =>
  fetch(`${daemon.origin}/identity/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "wireroom-cli", ...fields }),
  });

describe("a sign-in with the secret in the data folder", () => {
  // [D20-local-sign-in] [D20-local-audit]
  it("gives the tokens of an account, which sends a wire and renews its sign-in", async () => {
    const answer = await signIn({ secret, email: " Ada@LocalHost " });
    expect(answer).toMatchObject({
      status: 200,
      body: { expires_in: 3_600, token_type: "Bearer", scope: "openid email offline_access" },
    });
    expect(decodeJwt(answer.body.id_token)).toMatchObject({ email: "ada@localhost", aud: "wireroom-cli" });
    const human = daemon.client(answer.body.id_token);
    await expectOk(human.post("/handles", { slug: "ada" }), 201);
    const { token: agent } = await expectOk(human.post("/handles/ada/token"), 201);
    await sendWire(daemon.client(agent), "ada");
    const renewed = await token({ grant_type: "refresh_token", refresh_token: answer.body.refresh_token });
    expect(renewed.status).toBe(200);

    const again = await signIn({ secret, email: "ada@localhost" });
    expect(decodeJwt(again.body.id_token).sub).toBe(decodeJwt(answer.body.id_token).sub);
    const { id } = await expectOk(human.get("/accounts/me"));
    const { entries } = await expectOk(human.get("/audit?action=session.local"));
    expect(entries).toMatchObject(
      Array(2).fill({ actor: "human", subject: `account:${id}`, outcome: "ok", handle: null }),
    );
  });

  // [D20-local-source]
  it.each([
    ["forwarded", "for=192.0.2.1"],
    ["x-forwarded-for", "192.0.2.1"],
    ["X-Forwarded-Proto", "https"],
    ["x-real-ip", "127.0.0.1"],
    ["via", "1.1 proxy"],
    ["origin", daemon.origin],
    ["host", "evil.example"],
  ])("is refused with the header %s: %s", async (name, value) => {
    const answer = await signIn({ secret, email: "ada@localhost" }, { [name]: value });
    expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  });

  // [D20-local-secret]
  it("is refused with a wrong secret", async () => {
    for (const wrong of [
      "",
      secret.slice(1),
      `${secret} `,
      secret.replace(/./, (digit) => (digit === "0" ? "1" : "0")),
    ])
      expect(await signIn({ secret: wrong, email: "ada@localhost" })).toMatchObject({
        status: 403,
        body: { code: "FORBIDDEN" },
      });
  });

  // [D20-local-address]
  it.each([
    [{ email: "ada@example.com" }],
    [{ email: "ada@localhost.example.com" }],
    [{ email: "ada@mail.localhost" }],
    [{ email: "@localhost" }],
    [{ email: "localhost" }],
    [{}],
    [{ email: "ada@localhost", secret: 1 }],
    [{ email: "ada@localhost", password: PASSWORD }],
  ])("is refused with 400 for %j", async (fields) => {
    const answer = await signIn({ secret, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
  });

  // [D20-local-address]
  it("leaves its account without a password, whatever others try", async () => {
    const email = "grace@localhost";
    expect((await signIn({ secret, email })).status).toBe(200);
    for (const path of ["sign-up", "resend"])
      expect((await post(path, { email, password: PASSWORD })).status).toBe(400);
    expect((await post("forgot", { email })).status).toBe(202);
    expect((await post("reset", { email, code: "000000", password: PASSWORD })).status).toBe(400);
    const grant_type = "urn:wireroom:params:oauth:grant-type:password";
    for (const password of [PASSWORD, "scrypt"]) {
      const refused = await token({ grant_type, username: email, password });
      expect(await refused.json()).toMatchObject({ error: "invalid_grant" });
    }
    expect((await signIn({ secret, email })).status).toBe(200);
  });

  // [D20-local-sign-in]
  it("starts anew after the account was deleted, and no mail is sent", async () => {
    const input = { secret, email: "brief@localhost" };
    const { body } = await signIn(input);
    const human = daemon.client(body.id_token);
    const { id } = await expectOk(human.get("/accounts/me"));
    await expectOk(human.request("DELETE", "/accounts/me", { email: input.email }));
    const { body: later } = await signIn(input);
    expect((await expectOk(daemon.client(later.id_token).get("/accounts/me"))).id).not.toBe(id);
    expect(daemon.log()).not.toContain(input.email);
  });
});

describe("an account of a local sign-in that gets an address and a password", () => {
  const email = "ada.king@example.com";
  const local = "king@localhost";
  const signUp = { email, password: PASSWORD };
  const codeOf = async () => {
    await expect.poll(() => confirmationCodes(daemon.log(), email)).toHaveLength(1);
    return confirmationCodes(daemon.log(), email)[0]!;
  };
  const confirm = (body: object, idToken: string) =>
    post("confirm", body, { authorization: `Bearer ${idToken}` });

  // [D20-password-set]
  it("keeps what it has and what is signed in, and its former address is refused", async () => {
    const [one, other] = [await signIn({ secret, email: local }), await signIn({ secret, email: local })];
    const human = daemon.client(one.body.id_token);
    await expectOk(human.post("/handles", { slug: "king" }), 201);
    const before = await expectOk(human.get("/accounts/me"));
    await post("sign-up", signUp);
    const code = await codeOf();
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await confirm({ ...signUp, code: wrong }, one.body.id_token)).status).toBe(400);
    expect((await confirm({ ...signUp, code }, "not.a.token")).status).toBe(403);
    expect((await confirm({ ...signUp, code }, one.body.id_token)).status).toBe(200);

    for (const { body } of [one, other]) {
      await expectOk(daemon.client(body.id_token).get("/handles/king/inbox"));
      const renewed = await token({ grant_type: "refresh_token", refresh_token: body.refresh_token });
      const { id_token } = (await renewed.json()) as { id_token: string };
      expect(await expectOk(daemon.client(id_token).get("/accounts/me"))).toEqual({ ...before, email });
    }
    const withPassword = await token({
      grant_type: "urn:wireroom:params:oauth:grant-type:password",
      username: email,
      password: PASSWORD,
    });
    const { id_token } = (await withPassword.json()) as { id_token: string };
    expect((await expectOk(daemon.client(id_token).get("/accounts/me"))).id).toBe(before.id);
    expect(await signIn({ secret, email: local })).toMatchObject({ status: 403 });
    expect((await confirm({ ...signUp, code }, id_token)).status).toBe(403);

    // The former address is free again once the account is deleted.
    await expectOk(daemon.client(id_token).request("DELETE", "/accounts/me", { email }));
    const later = await signIn({ secret, email: local });
    expect(decodeJwt(later.body.id_token).sub).not.toBe(decodeJwt(id_token).sub);
  });

  // [D20-password-set]
  it("is told on the page of an application how to get them", async () => {
    const application = await Application.register(daemon);
    const { browser } = await OAuthHuman.signUp(daemon);
    expect((await browser.get(application.authorizationUrl())).text).toContain("wireroom password set");
  });

  // [D20-password-set]
  it("gets no address of another account", async () => {
    const taken = await OAuthHuman.signUp(daemon);
    const { body } = await signIn({ secret, email: "taker@localhost" });
    const own = { email: taken.email, password: "another good password" };
    await post("sign-up", own);
    const [code] = confirmationCodes(daemon.log(), taken.email);
    expect((await confirm({ ...own, code }, body.id_token)).status).toBe(400);
    expect((await signIn({ secret, email: "taker@localhost" })).status).toBe(200);
  });
});

// These tests do not depend on the store, so one engine is enough.
const beforeTheStore = describe.skipIf(ENGINE === "postgres");

beforeTheStore("the secret", () => {
  // [D20-local-secret]
  it("is a line of 256 bits that only its owner can read, another one after a restart, and gone after the end", async () => {
    const other = await startOther({});
    expect(await readFile(fileOf(other), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await stat(fileOf(other))).mode & 0o777).toBe(0o600);
    const first = await secretOf(other);
    expect((await signIn({ secret: first, email: "ada@localhost" }, {}, other)).status).toBe(200);
    expect(other.log()).not.toContain(first);
    await other.restart(async () => expect(existsSync(fileOf(other))).toBe(false));
    expect(await secretOf(other)).not.toBe(first);
    expect((await signIn({ secret: first, email: "ada@localhost" }, {}, other)).status).toBe(403);
    await other.kill();
    expect(existsSync(fileOf(other))).toBe(true);
    await startDaemon({
      ...EMBEDDED,
      dataDir: other.dataDir,
      args: ["--no-local-sign-in"],
      sharesDatabaseWith: other,
    }).then((next) => next.stop());
    expect(existsSync(fileOf(other))).toBe(false);
  });
});

beforeTheStore("without local sign-in", () => {
  const external = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;

  // [D20-local-off]
  it.each([
    ["--no-local-sign-in", ["--no-local-sign-in"], true],
    ["--host 0.0.0.0", ["--host", "0.0.0.0"], true],
    ["an external provider", [], false],
  ])("there is neither the route nor the file: %s", async (_, args, embeddedIdentity) => {
    const other = await startOther({ args, embeddedIdentity });
    expect((await signIn({ secret: "", email: "ada@localhost" }, {}, other)).status).toBe(404);
    expect(existsSync(fileOf(other))).toBe(false);
  });

  // [D20-local-source] [D20-local-off]
  it.skipIf(external === undefined)(
    "--local-sign-in turns it on for any address, but only for clients on the loopback interface",
    async () => {
      const other = await startOther({ args: ["--host", "::", "--local-sign-in"] });
      const { port } = new URL(other.origin);
      const input = { secret: await secretOf(other), email: "ada@localhost" };
      // The daemon sees the second one as an IPv4-mapped address.
      for (const host of ["[::1]", "127.0.0.1"])
        expect((await signIn(input, {}, { origin: `http://${host}:${port}` })).status).toBe(200);
      expect((await signIn(input, {}, { origin: `http://${external}:${port}` })).status).toBe(403);
    },
  );
});
