import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityStore } from "../../src/store/accounts/identity.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import { Browser } from "../harness/browser.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { EMBEDDED_IDENTITY, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { confirmationCodes, Human, PASSWORD } from "../harness/human.js";
import { PASSWORD_GRANT } from "../harness/identity-client.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { KEYS } from "../harness/terminal.js";

/** The running daemon. */
let daemon: TestDaemon;
let ada: Human;
const dataDir = new TemporaryFolder("wireroom-grant-").path;

beforeAll(async () => {
  daemon = await startDaemon({ ...EMBEDDED_IDENTITY, dataDir });
  ada = new Human(() => daemon);
  await ada.signUpAndLogIn();
});

afterAll(async () => {
  await daemon.stop();
});

/**
 * Counts 100 wrong passwords for an address while no daemon runs, which is faster than 100 requests. Also
 * deletes the times of earlier mails, because the next mail would wait for a minute.
 */
async function countWrongPasswords(email: string): Promise<void> {
  await daemon.restart(async () => {
    const engine = await SqliteEngine.open(join(dataDir, "wireroom.db"));
    const limits = [{ count: 100, window: 60 * 60_000 }];
    for (let i = 0; i < 100; i++)
      await identityStore(engine).throttle(`password:${email}`, limits, Date.now());
    await engine.write((tx) => tx.run("DELETE FROM identity_sent_mails", []));
    await engine.close();
  });
}

/** Waits until the log has a number of codes for ada, and returns the last one. */
async function waitForCode(number: number): Promise<string> {
  for (;;) {
    const codes = confirmationCodes(daemon.log(), ada.email);
    if (codes.length >= number) return codes.at(-1)!;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("wireroom login, after 100 wrong passwords for the account", () => {
  // [D10-account-throttle]
  it("asks for the mailed code on a terminal, and takes it from --code in a pipe", async () => {
    await countWrongPasswords(ada.email);
    const piped = { env: { WIREROOM_PASSWORD: PASSWORD } };
    const refused = await ada.run(["login", "--email", ada.email], piped);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("a code was sent to it");
    expect(refused.stderr).toContain("wireroom login --code CODE");
    const code = await waitForCode(2);
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await ada.run(["login", "--email", ada.email, "--code", wrong], piped)).stderr).toContain(
      "wrong e-mail address, password or code",
    );
    expect((await ada.run(["login", "--email", ada.email, "--code", code], piped)).code).toBe(0);

    await countWrongPasswords(ada.email);
    const terminal = ada.openTerminal(["login", "--email", ada.email], { columns: 200 });
    await terminal.waitFor("Password:");
    terminal.press(PASSWORD, KEYS.enter);
    await terminal.waitFor("Code:");
    terminal.press(await waitForCode(3), KEYS.enter);
    expect(await terminal.exitCode).toBe(0);
  });
});

describe("a daemon with --no-password-grant", () => {
  const token = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: "wireroom-cli", ...fields });
    const response = await fetch(`${daemon.origin}/identity/token`, { method: "POST", body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  beforeAll(async () => {
    await daemon.stop();
    daemon = await startDaemon({ ...EMBEDDED_IDENTITY, dataDir, args: ["--no-password-grant"] });
  });

  // [D12-no-password-grant]
  it("does not offer the grant, and answers unsupported_grant_type", async () => {
    const discovery = await fetch(`${daemon.origin}/identity/.well-known/openid-configuration`);
    expect(JSON.stringify(await discovery.json())).not.toContain("password");
    const answer = await token({ grant_type: PASSWORD_GRANT, username: ada.email, password: PASSWORD });
    expect(answer).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
  });

  // [D12-no-password-grant]
  it("confirms a sign-up of the command without a sign-in", async () => {
    const human = new Human(() => daemon);
    const password = { env: { WIREROOM_PASSWORD: PASSWORD } };
    expect((await human.run(["signup", "--email", human.email], password)).code).toBe(0);
    const confirm = ["signup", "--email", human.email, "--code", await human.waitForCode()];
    expect(await human.runJson(confirm, password)).toEqual({ email: human.email, status: "confirmed" });
  });

  // [D12-no-password-grant]
  it("signs in by the device flow on a terminal, and asks for --device or --browser in a pipe", async () => {
    const human = new Human(() => daemon);
    const piped = await human.run(["login"], { env: { WIREROOM_PASSWORD: PASSWORD } });
    expect(piped.code).toBe(10);
    expect(piped.stderr).toContain("--device or --browser");
    expect((await human.run(["login", "--email", ada.email])).code).toBe(2);

    const terminal = human.spawnTerminal(["login"], { columns: 200, env: fastClockEnv(5) });
    await terminal.waitUntil(() => /Open\s+(http\S+)/.test(terminal.written), "the address");
    const browser = new Browser();
    const handover = await browser.get(/Open\s+(http\S+)/.exec(terminal.written)![1]!);
    const check = await browser.submit(handover, {});
    const page = await browser.submit(await browser.submit(check, {}), {
      email: ada.email,
      password: PASSWORD,
      action: "sign-in",
    });
    expect(page.text).toContain("You are signed in");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`signed in as ${ada.email}`);
  });
});
