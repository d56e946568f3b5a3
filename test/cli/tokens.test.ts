import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { COMMAND, EMBEDDED_IDENTITY } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { Human } from "../harness/human.js";
import { forge, validClaims } from "../harness/oidc-issuer.js";

const { daemon } = await daemonFixture([], EMBEDDED_IDENTITY);

async function createSignedInHuman(): Promise<Human> {
  const human = new Human(() => daemon);
  await human.signUpAndLogIn();
  return human;
}

/** Returns an unsigned ID token that expires in `seconds`. The daemon accepts no such token. */
const tokenFor = (seconds: number) =>
  forge({ alg: "RS256" }, { exp: Math.floor(Date.now() / 1_000) + seconds });

async function changeSignIn(human: Human, fields: object): Promise<void> {
  const profile = await human.readProfile();
  const changed = { ...profile, signIn: { ...profile.signIn, ...fields } };
  await writeFile(human.profilePath(), JSON.stringify(changed));
}

describe("the stored ID token", () => {
  // [C-token-refresh]
  it("is refreshed before it expires, repeatedly", async () => {
    const ada = await createSignedInHuman();
    for (let i = 0; i < 2; i++) {
      const { signIn } = await ada.readProfile();
      const aging = tokenFor(30);
      await changeSignIn(ada, { idToken: aging });
      expect(await ada.runJson(["handle", "list"])).toEqual({ handles: [], next_cursor: null });
      const { signIn: renewed } = await ada.readProfile();
      // Tokens issued within one second are equal, so the comparison uses the token that the test has stored.
      expect(renewed.idToken).not.toBe(aging);
      expect(renewed.refreshToken).not.toBe(signIn.refreshToken);
    }
  });

  // [C-token-refused]
  it("is refreshed once if the daemon rejects it, and the call is repeated", async () => {
    const ada = await createSignedInHuman();
    const stale = tokenFor(3_000);
    await changeSignIn(ada, { idToken: stale });
    expect(await ada.runJson(["handle", "create", "recovered"])).toMatchObject({ slug: "recovered" });
    expect((await ada.readProfile()).signIn.idToken).not.toBe(stale);
  });

  // [C-token-together]
  it("is refreshed by only one of several processes", async () => {
    const ada = await createSignedInHuman();
    await changeSignIn(ada, { idToken: tokenFor(-60) });
    const all = await Promise.all(Array.from({ length: 4 }, () => ada.spawn(["handle", "list", "--json"])));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
    // A refresh token that is used twice ends the session. The next refresh would fail.
    await changeSignIn(ada, { idToken: tokenFor(-60) });
    expect(await ada.run(["handle", "list", "--json"])).toMatchObject({ code: 0, stderr: "" });
  });

  // [C-token-ended]
  it("that cannot be refreshed makes the command exit with 3 and recommend wireroom login", async () => {
    const ada = await createSignedInHuman();
    await changeSignIn(ada, { idToken: tokenFor(-60), refreshToken: "used-up" });
    const { code, stderr } = await ada.run(["handle", "list"]);
    expect(code).toBe(3);
    expect(stderr).toContain(`the sign-in of ${ada.email} has expired`);
    expect(stderr).toContain("wireroom login");
    await changeSignIn(ada, { refreshToken: undefined });
    expect((await ada.run(["handle", "list"])).stderr).toContain("wireroom login");
  });

  // [C-token-refused]
  it("that is rejected after a refresh is reported with the daemon's message", async () => {
    const ada = await createSignedInHuman();
    await changeSignIn(ada, { idToken: tokenFor(3_000), refreshToken: undefined });
    const { code, stderr } = await ada.run(["handle", "list", "--json"]);
    expect(code).toBe(4);
    expect(JSON.parse(stderr).code).toBe("FORBIDDEN");
  });

  it("that cannot be refreshed because the provider is unreachable makes the command exit with 8", async () => {
    const ada = await createSignedInHuman();
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer: "http://127.0.0.1:9/identity" });
    const { code, stderr } = await ada.run(["handle", "list", "--json"]);
    expect(code).toBe(8);
    expect(JSON.parse(stderr).code).toBe("PROVIDER_UNREACHABLE");
  });

  // [C-inbox-follow-waits]
  it("that cannot be refreshed lets inbox --follow wait for the provider", async () => {
    const ada = await createSignedInHuman();
    await ada.runJson(["handle", "create", "ada-waits"]);
    const issuer = `http://127.0.0.1:${await freePort()}/identity`;
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer });
    const terminal = ada.spawnTerminal(["inbox", "--follow"]);
    await terminal.waitFor(/cannot use the identity provider.*waiting\s+for it/s);
    terminal.press("\x03");
    expect(await terminal.exitCode).toBe(130);
  });

  // [C-token-kept]
  it("is stored even if Ctrl-C arrives during the refresh", async () => {
    const ada = await createSignedInHuman();
    const provider = await startSlowProvider();
    const { url: issuer } = provider;
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer, refreshToken: "first" });
    const terminal = ada.spawnTerminal(["handle", "list"]);
    await provider.asked;
    terminal.press("\x03");
    // Leaves time for the signal to arrive. The result does not depend on the delay.
    await new Promise((resolve) => setTimeout(resolve, 300));
    provider.answer();
    expect(await terminal.exitCode).toBe(130);
    expect((await ada.readProfile()).signIn.refreshToken).toBe("second");
    provider.close();
  });

  // [C-token-kept]
  it("that a silent provider never refreshes does not keep the command alive after a signal", async () => {
    const ada = await createSignedInHuman();
    const provider = await startSlowProvider();
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer: provider.url, refreshToken: "first" });
    const env = { ...process.env, ...ada.env };
    const child = spawn(process.execPath, [COMMAND, "handle", "list"], { env, stdio: "ignore" });
    await provider.asked;
    const killedAt = performance.now();
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
    // The delay has a limit of 10 s, and the request times out after 30 s.
    expect(performance.now() - killedAt).toBeLessThan(25_000);
    provider.answer();
    provider.close();
  });

  // [C-token-kept]
  it.each(["mcp", "hook"])(
    "is stored even if the host ends `wireroom %s` during the refresh",
    async (command) => {
      const ada = await createSignedInHuman();
      await ada.runJson(["handle", "create", `for-${command}`]);
      const provider = await startSlowProvider();
      const { url: issuer } = provider;
      await changeSignIn(ada, { idToken: tokenFor(-60), issuer, refreshToken: "first" });
      const child = spawn(process.execPath, [COMMAND, command], {
        env: { ...process.env, ...ada.env },
        stdio: ["pipe", "ignore", "ignore"],
      });
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "host", version: "1" },
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      if (command === "hook") child.stdin.end();
      await provider.asked;
      child.kill("SIGTERM");
      await new Promise((resolve) => setTimeout(resolve, 300));
      provider.answer();
      await once(child, "exit");
      expect((await ada.readProfile()).signIn.refreshToken).toBe("second");
      provider.close();
    },
  );
});

/** Starts a provider whose token endpoint responds only when the test says so. */
async function startSlowProvider() {
  let answer!: () => void;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = createServer(async (request, response) => {
    const reply = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.method === "GET") return reply({ issuer: url, token_endpoint: `${url}/token` });
    server.emit("asked");
    await told;
    const id_token = forge({ alg: "RS256" }, validClaims(url, "wireroom-cli"), "signature");
    reply({ access_token: "access", token_type: "Bearer", id_token, refresh_token: "second" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked: once(server, "asked"), answer, close: () => server.close() };
}
