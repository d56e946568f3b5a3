import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { PASSWORD, Person } from "../harness/person.js";
import { KEYS } from "../harness/terminal.js";

const { daemon } = await fileDaemon([], { embedded: true });
let ada: Person;

beforeAll(async () => {
  ada = new Person(() => daemon);
  await ada.signUp();
});

const { enter, backspace } = KEYS;
/** Someone with the same account and no profile yet. */
const elsewhere = () => new Person(() => daemon);

describe("login on a terminal", () => {
  it("asks for e-mail and password, and again after a wrong one [C-login-terminal] [C-login-wrong-password] [C-ask-edit]", async () => {
    const terminal = elsewhere().terminal(["login"]);
    await terminal.waitFor("E-mail:");
    // Wide characters are one key each to take away; the rest is pasted.
    terminal.press("日本", backspace, backspace, ada.email);
    await terminal.waitFor(`E-mail: ${ada.email}`);
    terminal.press(enter);
    await terminal.waitFor("Password:");
    terminal.press("something else", enter);
    await terminal.waitFor("wrong e-mail address or password: try again");
    terminal.press(`${PASSWORD}x`, backspace, enter);
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain(`✓ signed in as ${ada.email} at ${daemon.base}`);
    expect(terminal.history).toContain("wireroom handle create NAME");
    expect(terminal.written).not.toContain("something else");
    expect(terminal.written).not.toContain(PASSWORD);
  });

  it("gives up after three wrong passwords [C-login-wrong-password]", async () => {
    const terminal = elsewhere().terminal(["login", "--email", ada.email]);
    for (let i = 0; i < 3; i++) {
      await terminal.waitUntil((text) => text.split("Password:").length === i + 2, "the question");
      terminal.press("wrong", enter);
    }
    expect(await terminal.ended).toBe(3);
    expect(terminal.history).toContain("error wrong e-mail address or password (SIGN_IN_FAILED)");
  });

  it("ends with 130 at Ctrl-C, and with 10 at the end of input [C-ask-interrupt]", async () => {
    const interrupted = elsewhere().terminal(["login"]);
    await interrupted.waitFor("E-mail:");
    interrupted.press("ad", KEYS.interrupt);
    expect(await interrupted.ended).toBe(130);
    const left = elsewhere().terminal(["login"]);
    await left.waitFor("E-mail:");
    left.press(KEYS.endOfInput);
    expect(await left.ended).toBe(10);
  });
});

describe("login in a pipe", () => {
  it("takes the password from standard input or the environment [C-login-pipe]", async () => {
    const account = { id: expect.any(String), email: ada.email };
    const fromInput = { input: `${PASSWORD}\n` };
    expect(await elsewhere().json(["login", "--email", ada.email, "--password-stdin"], fromInput)).toEqual(
      account,
    );
    const fromEnv = { env: { WIREROOM_PASSWORD: PASSWORD } };
    const { code, stdout } = await elsewhere().run(["login", "--email", ada.email], fromEnv);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ada.email}\n` });
  });

  it("ends with 3 for a wrong password, with 10 where something is missing [C-login-wrong-password] [C-ask-pipe]", async () => {
    const wrong = await elsewhere().run(["login", "--email", ada.email, "--password-stdin", "--json"], {
      input: "no",
    });
    expect(wrong.code).toBe(3);
    expect(JSON.parse(wrong.stderr)).toEqual({
      code: "SIGN_IN_FAILED",
      message: "wrong e-mail address or password",
    });
    expect((await elsewhere().run(["login"])).code).toBe(10);
    expect((await elsewhere().run(["login", "--email", ada.email])).code).toBe(10);
  });

  it("ends with 8 where there is no daemon", async () => {
    const { code, stderr } = await elsewhere().run(["login", "--url", "http://127.0.0.1:9"]);
    expect(code).toBe(8);
    expect(stderr).toContain("wireroom up");
  });

  it("sends no password to another origin than the daemon's own [C-login-elsewhere]", async () => {
    // 0.0.0.0 leads to the same machine, but it is not the name of it.
    const url = daemon.base.replace("127.0.0.1", "0.0.0.0");
    const { code, stderr } = await elsewhere().run(["login", "--url", url, "--email", ada.email], {
      env: { WIREROOM_PASSWORD: PASSWORD },
    });
    expect(code).toBe(3);
    expect(stderr).toContain(`--url ${daemon.base}`);
  });
});

describe("logout and whoami", () => {
  it("says account, daemon and profile; logout revokes the refresh token and forgets it [C-whoami] [C-logout]", async () => {
    const bob = new Person(() => daemon);
    await bob.signUp();
    const { signIn } = await bob.profile();
    expect(await bob.json(["whoami"])).toEqual({
      account: { id: expect.any(String), email: bob.email },
      handle: null,
      url: daemon.base,
      profile: "default",
      keys: [],
    });
    expect(await bob.json(["logout"])).toEqual({ email: bob.email, revoked: true });
    expect(await bob.profile()).toEqual({ url: daemon.base });
    expect((await bob.run(["whoami"])).code).toBe(3);
    expect((await bob.run(["logout"])).code).toBe(3);
    const refresh = await fetch(`${daemon.origin}/identity/token`, {
      method: "POST",
      body: new URLSearchParams({
        client_id: "wireroom-cli",
        grant_type: "refresh_token",
        refresh_token: signIn.refreshToken,
      }),
    });
    expect(refresh.status).toBe(400);
  });

  it("forgets the tokens though the provider is out of reach [C-logout]", async () => {
    const closing = await startDaemon({ embedded: true });
    const carol = new Person(() => closing);
    await carol.signUp();
    await closing.stop();
    const { code, stderr } = await carol.run(["logout"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("it lives on for a while") });
    expect((await carol.profile()).signIn).toBeUndefined();
  });

  it("needs no more than a key [C-whoami]", async () => {
    const external = await startDaemon();
    const { key } = await external.agent("alice");
    const body = await new Person(() => external).json(["whoami"], { env: { WIREROOM_API_KEY: key } });
    expect(body).toMatchObject({ account: null, handle: { slug: "alice" }, url: external.base });
    await external.stop();
  });
});

describe("profiles", () => {
  it("lists all without asking a daemon [C-whoami-all]", async () => {
    const dave = new Person(() => daemon);
    await dave.signUp();
    await dave.json(["login", "--profile", "work", "--email", dave.email], {
      env: { WIREROOM_PASSWORD: PASSWORD },
    });
    const { profiles } = await dave.json(["whoami", "--all"], {
      env: { WIREROOM_URL: "http://127.0.0.1:9" },
    });
    const one = { url: daemon.base, email: dave.email, handle: null, keys: [] };
    expect(profiles).toEqual([
      { profile: "default", ...one },
      { profile: "work", ...one },
    ]);
    expect((await dave.run(["whoami", "--profile", "../other"])).code).toBe(2);
  });

  it("sends a sign-in and keys to no other daemon, and takes none of another one's in [C-profile-home]", async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
    const erin = new Person(() => daemon);
    await erin.signUp();
    await erin.json(["handle", "create", "erin"]);
    await erin.json(["key", "issue", "erin", "--save"]);
    for (const [args, code] of [
      [["handle", "list", "--url", url], 3],
      [["limits", "--url", url], 3],
      [["whoami", "--url", url], 3],
      [["login", "--url", url, "--email", erin.email], 2],
    ] as const) {
      expect(await erin.run(args, { env: { WIREROOM_PASSWORD: PASSWORD } })).toMatchObject({
        code,
        stdout: "",
      });
    }
    expect(asked).toEqual([]);
    other.close();
  });
});
