import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { Folder } from "../harness/folder.js";
import { identityClient, PASSWORD } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { Person } from "../harness/person.js";
import type { Terminal } from "../harness/terminal.js";

/** Someone else's provider: a real one, on a server of its own. */
let provider: IdentityHost;
let issuer: string;
let email: string;
let daemon: TestDaemon;

beforeAll(async () => {
  provider = await startIdentityHost({ file: join(new Folder("wireroom-provider-").path, "identity.db") });
  issuer = `${provider.origin}/identity`;
  email = await identityClient(() => provider).newAccount();
  const args = ["--oidc-issuer", issuer, "--oidc-audience", "wireroom-cli"];
  daemon = await startDaemon({ embedded: true, args });
});

afterAll(async () => {
  await daemon.stop();
  await provider.close();
});

const newPerson = () => new Person(() => daemon);

/** What the terminal has written, without escape sequences, once it holds a match. */
async function found(terminal: Terminal, what: RegExp): Promise<string> {
  await terminal.waitUntil(() => what.test(terminal.written), String(what));
  return what.exec(terminal.written)![1]!;
}

const isCallback = (url: string) =>
  /^http:\/\/127\.0\.0\.1:\d+\/callback/.test(url) && !url.startsWith(issuer);

describe("login with an external provider", () => {
  it("goes through the device flow, keeps the sign-in, and can revoke it [C-login-device]", async () => {
    const ada = newPerson();
    const terminal = ada.terminal(["login"], { columns: 200 });
    const url = await found(terminal, /Open\s+(http\S+)/);
    const code = await found(terminal, /Your code\s+(\S+)/);
    expect(terminal.history).toContain(issuer);
    const browser = new Browser();
    let page: Page = await browser.get(url);
    if (page.text.includes('name="user_code" value=""'))
      page = await browser.submit(page, { user_code: code });
    page = await browser.submit(page, {});
    if (page.text.includes("Check the code")) page = await browser.submit(page, {});
    page = await browser.submit(page, { email, password: PASSWORD, action: "sign-in" });
    expect(page.text).toContain("You are signed in");
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain(`signed in as ${email}`);
    const { signIn } = await ada.profile();
    expect(signIn).toMatchObject({ email, issuer, clientId: "wireroom-cli" });
    expect(signIn.refreshToken).toBeTruthy();
    expect(await ada.json(["logout"])).toEqual({ email, revoked: true });
  });

  it("opens a browser with --browser, and comes back to a loopback address [C-login-browser]", async () => {
    const ada = newPerson();
    const { env, opened } = await pretendBrowser();
    const terminal = ada.terminal(["login", "--browser"], { columns: 1_000, env });
    const url = await found(terminal, /(http\S+\/identity\/auth\?\S+)/);
    const query = new URL(url).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    const browser = new Browser(isCallback);
    const form = await browser.get(url);
    const back = await browser.submit(form, { email, password: PASSWORD, action: "sign-in" });
    expect(isCallback(back.url)).toBe(true);
    // What does not know the state is turned away, and changes nothing.
    expect((await fetch(`${new URL(back.url).origin}/callback?code=x&state=y`)).status).toBe(404);
    expect(await (await fetch(back.url)).text()).toContain("You are signed in.");
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain(`signed in as ${email}`);
    expect(await opened()).toBe(url);
  });

  it("says so where the person refuses [C-login-browser]", async () => {
    const terminal = newPerson().terminal(["login", "--browser"], { columns: 1_000, env: NO_SCREEN });
    const url = await found(terminal, /(http\S+\/identity\/auth\?\S+)/);
    const browser = new Browser(isCallback);
    const back = await browser.submit(await browser.get(url), { action: "cancel" });
    expect(await (await fetch(back.url)).text()).toContain("not signed in");
    expect(await terminal.ended).toBe(3);
    expect(terminal.history).toContain("the sign-in was refused");
  });

  it("ends with 130 at Ctrl-C while it waits [C-ask-interrupt]", async () => {
    const terminal = newPerson().terminal(["login"]);
    await terminal.waitFor("Waiting until");
    terminal.press("\x03");
    expect(await terminal.ended).toBe(130);
  });

  it("never waits in a pipe unasked, and takes no password [C-ask-pipe]", async () => {
    const ada = newPerson();
    expect((await ada.run(["login"])).code).toBe(10);
    const { code, stderr } = await ada.run(["login", "--email", email, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).code).toBe("USAGE");
  });

  it("takes another client where it is named, and keeps nothing that the daemon refuses", async () => {
    const ada = newPerson();
    const { code, stderr } = await ada.run(["login", "--device", "--client-id", "unknown", "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stderr.split("\n").at(-2)!).message).toContain("invalid_client");
    await expect(ada.profile()).rejects.toThrow("ENOENT");
  });
});

const NO_SCREEN = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, BROWSER: undefined };

/** A browser that writes down which address it was started with. */
async function pretendBrowser() {
  const folder = new Folder("wireroom-browser-").path;
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
