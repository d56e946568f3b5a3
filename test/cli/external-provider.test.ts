import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { EMBEDDED_IDENTITY, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { Human } from "../harness/human.js";
import { identityClient, PASSWORD } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import type { Terminal } from "../harness/terminal.js";

/** An external identity provider on a separate server. */
let provider: IdentityHost;
let issuer: string;
let email: string;
let daemon: TestDaemon;

beforeAll(async () => {
  provider = await startIdentityHost({
    file: join(new TemporaryFolder("wireroom-provider-").path, "identity.db"),
  });
  issuer = `${provider.origin}/identity`;
  email = await identityClient(() => provider).newAccount();
  const args = ["--oidc-issuer", issuer, "--oidc-audience", "wireroom-cli"];
  daemon = await startDaemon({ ...EMBEDDED_IDENTITY, args });
});

afterAll(async () => {
  await daemon.stop();
  await provider.close();
});

const newHuman = () => new Human(() => daemon);

/** Waits until the terminal output contains a match. Returns the output without escape sequences. */
async function waitForOutput(terminal: Terminal, what: RegExp): Promise<string> {
  await terminal.waitUntil(() => what.test(terminal.written), String(what));
  return what.exec(terminal.written)![1]!;
}

const isCallback = (url: string) =>
  /^http:\/\/127\.0\.0\.1:\d+\/callback/.test(url) && !url.startsWith(issuer);

describe("wireroom login with an external provider", () => {
  // [C-login-device]
  it("signs in by the device flow, stores the tokens, and can revoke them", async () => {
    const ada = newHuman();
    // The command asks the provider every 5 s.
    const terminal = ada.spawnTerminal(["login"], { columns: 200, env: fastClockEnv(5) });
    const url = await waitForOutput(terminal, /Open\s+(http\S+)/);
    const code = await waitForOutput(terminal, /Your code\s+(\S+)/);
    expect(terminal.history).toContain(issuer);
    const browser = new Browser();
    let page: Page = await browser.get(url);
    if (page.text.includes('name="user_code" value=""'))
      page = await browser.submit(page, { user_code: code });
    page = await browser.submit(page, {});
    if (page.text.includes("Check the code")) page = await browser.submit(page, {});
    page = await browser.submit(page, { email, password: PASSWORD, action: "sign-in" });
    expect(page.text).toContain("You are signed in");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`signed in as ${email}`);
    const { signIn } = await ada.readProfile();
    expect(signIn).toMatchObject({ email, issuer, clientId: "wireroom-cli" });
    expect(signIn.refreshToken).toBeTruthy();
    expect(await ada.runJson(["logout"])).toEqual({ email, revoked: true });
  });

  // [C-login-browser]
  it("opens a browser with --browser, and receives the code on a loopback address", async () => {
    const ada = newHuman();
    const { env, opened } = await createFakeBrowser();
    const terminal = ada.spawnTerminal(["login", "--browser"], { columns: 1_000, env });
    const url = await waitForOutput(terminal, /(http\S+\/identity\/auth\?\S+)/);
    const query = new URL(url).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    const browser = new Browser(isCallback);
    const form = await browser.get(url);
    const back = await browser.submit(form, { email, password: PASSWORD, action: "sign-in" });
    expect(isCallback(back.url)).toBe(true);
    // The callback rejects a request with another state, or with a path that is no URL, and changes nothing.
    for (const path of ["/callback?code=x&state=y", "//"])
      expect((await fetch(`${new URL(back.url).origin}${path}`)).status).toBe(404);
    expect(await (await fetch(back.url)).text()).toContain("You are signed in.");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`signed in as ${email}`);
    expect(await opened()).toBe(url);
  });

  // [C-login-browser]
  it("reports that the human denied access", async () => {
    const terminal = newHuman().spawnTerminal(["login", "--browser"], { columns: 1_000, env: NO_SCREEN });
    const url = await waitForOutput(terminal, /(http\S+\/identity\/auth\?\S+)/);
    const browser = new Browser(isCallback);
    const back = await browser.submit(await browser.get(url), { action: "cancel" });
    expect(await (await fetch(back.url)).text()).toContain("not signed in");
    expect(await terminal.exitCode).toBe(3);
    expect(terminal.history).toContain("the sign-in was refused");
  });

  // [C-ask-interrupt]
  it("exits with 130 after Ctrl-C while it waits", async () => {
    const terminal = newHuman().spawnTerminal(["login"]);
    await terminal.waitFor("Waiting for the sign-in");
    terminal.press("\x03");
    expect(await terminal.exitCode).toBe(130);
  });

  // [C-ask-pipe]
  it("does not wait in a pipe unless an option requests it, and accepts no password", async () => {
    const ada = newHuman();
    expect((await ada.run(["login"])).code).toBe(10);
    const { code, stderr } = await ada.run(["login", "--email", email, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).code).toBe("USAGE");
  });

  it("accepts another client id, and stores nothing if the daemon rejects the token", async () => {
    const ada = newHuman();
    const { code, stderr } = await ada.run(["login", "--device", "--client-id", "unknown", "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stderr.split("\n").at(-2)!).message).toContain("invalid_client");
    await expect(ada.readProfile()).rejects.toThrow("ENOENT");
  });
});

const NO_SCREEN = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, BROWSER: undefined };

/** Creates a fake browser that writes the URL that it was started with to a file. */
async function createFakeBrowser() {
  const folder = new TemporaryFolder("wireroom-browser-").path;
  const [script, note] = [join(folder, "browser"), join(folder, "opened")];
  await writeFile(script, `#!/bin/sh\nprintf %s "$1" > '${note}'\n`);
  await chmod(script, 0o755);
  const opened = async () => {
    for (let i = 0; i < 200; i++) {
      const url = await readFile(note, "utf8").catch(() => "");
      if (url !== "") return url;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return "nothing";
  };
  return { env: { ...NO_SCREEN, BROWSER: script }, opened };
}
