import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY, startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { Human, PASSWORD } from "../harness/human.js";
import { KEYS } from "../harness/terminal.js";

const { daemon } = await daemonFixture([], EMBEDDED_IDENTITY);
let ada: Human;

beforeAll(async () => {
  ada = new Human(() => daemon);
  await ada.signUpAndLogIn();
});

const { enter, backspace } = KEYS;
/** A human with the same account and an empty folder of profiles. */
const humanWithoutProfile = () => new Human(() => daemon);

describe("wireroom login on a terminal", () => {
  // [C-login-terminal] [C-login-wrong-password] [C-ask-edit]
  it("asks for e-mail and password, and asks again after a wrong password", async () => {
    const terminal = humanWithoutProfile().spawnTerminal(["login"]);
    await terminal.waitFor("E-mail:");
    // One backspace removes one wide character. The address is pasted.
    terminal.press("日本", backspace, backspace, ada.email);
    await terminal.waitFor(`E-mail: ${ada.email}`);
    terminal.press(enter);
    await terminal.waitFor("Password:");
    terminal.press("something else", enter);
    await terminal.waitFor("wrong e-mail address or password; try again");
    await terminal.waitFor("wireroom password forgot");
    await terminal.waitFor(`E-mail [${ada.email}]:`);
    // Who expects only the password types it here.
    terminal.press("a password", enter);
    await terminal.waitFor("an e-mail address contains @");
    await terminal.waitUntil(
      (text) => text.split(`E-mail [${ada.email}]:`).length === 3,
      "the address again",
    );
    terminal.press(enter);
    await terminal.waitUntil((text) => text.split("Password:").length === 3, "the question again");
    terminal.press(`${PASSWORD}x`, backspace, enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`✓ signed in as ${ada.email} at ${daemon.base}`);
    expect(terminal.history).toContain("wireroom handle create NAME");
    expect(terminal.written).not.toContain("something else");
    expect(terminal.written).not.toContain(PASSWORD);
  });

  // [C-ask-edit] [C-ask-hidden]
  it("takes pasted lines as the answers to its questions, and shows no password", async () => {
    const terminal = humanWithoutProfile().spawnTerminal(["login"]);
    await terminal.waitFor("E-mail:");
    terminal.press(`${ada.email}${enter}${PASSWORD}${enter}`);
    await terminal.waitFor("Password:");
    // Without the second line, this would wait for the password.
    terminal.press(KEYS.endOfInput);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`E-mail: ${ada.email}\nPassword: \n✓ signed in as ${ada.email}`);
    expect(terminal.written).not.toContain(PASSWORD);
  });

  // [C-login-wrong-password]
  it("ends after three wrong passwords", async () => {
    const terminal = humanWithoutProfile().openTerminal(["login", "--email", ada.email]);
    for (let i = 0; i < 3; i++) {
      await terminal.waitUntil((text) => text.split("Password:").length === i + 2, "the question");
      terminal.press("wrong", enter);
    }
    expect(await terminal.exitCode).toBe(3);
    expect(terminal.history).toContain("error wrong e-mail address or password (SIGN_IN_FAILED)");
    expect(terminal.history).toContain("If you forgot the password: wireroom password forgot");
  });

  // [C-ask-interrupt]
  it("exits with 130 after Ctrl-C, and with 10 at the end of input", async () => {
    const interrupted = humanWithoutProfile().spawnTerminal(["login"]);
    await interrupted.waitFor("E-mail:");
    interrupted.press("ad", KEYS.interrupt);
    expect(await interrupted.exitCode).toBe(130);
    const left = humanWithoutProfile().openTerminal(["login"]);
    await left.waitFor("E-mail:");
    left.press(KEYS.endOfInput);
    expect(await left.exitCode).toBe(10);
  });
});

describe("wireroom login in a pipe", () => {
  // [C-login-pipe]
  it("reads the password from standard input or the environment", async () => {
    const account = { id: expect.any(String), email: ada.email, approval_mails: null };
    const fromInput = { input: `${PASSWORD}\n` };
    expect(
      await humanWithoutProfile().runJson(["login", "--email", ada.email, "--password-stdin"], fromInput),
    ).toEqual(account);
    const fromEnv = { env: { WIREROOM_PASSWORD: PASSWORD } };
    const { code, stdout } = await humanWithoutProfile().run(["login", "--email", ada.email], fromEnv);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ada.email}\n` });
  });

  // [C-login-wrong-password] [C-ask-pipe]
  it("exits with 3 for a wrong password, and with 10 if a value is missing", async () => {
    const wrong = await humanWithoutProfile().run(
      ["login", "--email", ada.email, "--password-stdin", "--json"],
      {
        input: "no",
      },
    );
    expect(wrong.code).toBe(3);
    expect(JSON.parse(wrong.stderr)).toEqual({
      code: "SIGN_IN_FAILED",
      message: "wrong e-mail address or password",
    });
    expect((await humanWithoutProfile().run(["login"])).code).toBe(10);
    expect((await humanWithoutProfile().run(["login", "--email", ada.email])).code).toBe(10);
  });

  it("exits with 8 if there is no daemon", async () => {
    const { code, stderr } = await humanWithoutProfile().run(["login", "--url", "http://127.0.0.1:9"]);
    expect(code).toBe(8);
    expect(stderr).toContain("wireroom up");
  });

  // [C-login-elsewhere]
  it("sends the password only to the origin of the daemon", async () => {
    // 0.0.0.0 reaches the same machine, but is another origin.
    const url = daemon.base.replace("127.0.0.1", "0.0.0.0");
    const { code, stderr } = await humanWithoutProfile().run(["login", "--url", url, "--email", ada.email], {
      env: { WIREROOM_PASSWORD: PASSWORD },
    });
    expect(code).toBe(3);
    expect(stderr).toContain(`--url ${daemon.base}`);
  });
});

describe("wireroom logout and whoami", () => {
  // [C-whoami] [C-logout]
  it("show account, daemon and profile; logout revokes and deletes the refresh token", async () => {
    const bob = new Human(() => daemon);
    await bob.signUpAndLogIn();
    const { signIn } = await bob.readProfile();
    expect(await bob.runJson(["whoami"])).toEqual({
      account: { id: expect.any(String), email: bob.email, approval_mails: null },
      handle: null,
      url: daemon.base,
      profile: "default",
      keys: [],
      program_keys: [],
    });
    expect(await bob.runJson(["logout"])).toEqual({ email: bob.email, revoked: true });
    expect(await bob.readProfile()).toEqual({ url: daemon.base, lastEmail: bob.email });
    for (const command of ["whoami", "inbox", "handle list"]) {
      const { code, stderr } = await bob.run(["--profile", "default", ...command.split(" ")]);
      expect(code).toBe(3);
      expect(stderr).toContain(`Sign in again, as ${bob.email}: wireroom --profile default login\n`);
      expect(stderr).not.toContain(" init");
    }
    const again = bob.openTerminal(["login"]);
    await again.waitFor(`E-mail [${bob.email}]:`);
    again.press(KEYS.interrupt);
    await again.exitCode;
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

  // [C-logout]
  it("delete the tokens even if the provider is unreachable", async () => {
    const closing = await startDaemon(EMBEDDED_IDENTITY);
    const carol = new Human(() => closing);
    await carol.signUpAndLogIn();
    await closing.stop();
    const { code, stderr } = await carol.run(["logout"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("could not revoke the tokens"),
    });
    expect((await carol.readProfile()).signIn).toBeUndefined();
  });

  // [C-whoami]
  it("need only an API key", async () => {
    const external = await startDaemon({ isHosted: true });
    const { key } = await external.createAgent("alice");
    const body = await new Human(() => external).runJson(["whoami"], { env: { WIREROOM_API_KEY: key } });
    expect(body).toMatchObject({ account: null, handle: { slug: "alice" }, url: external.base });
    await external.stop();
  });
});

describe("wireroom profiles", () => {
  // [C-whoami-all]
  it("lists all profiles without a request to a daemon", async () => {
    const dave = new Human(() => daemon);
    await dave.signUpAndLogIn();
    await dave.runJson(["login", "--profile", "work", "--email", dave.email], {
      env: { WIREROOM_PASSWORD: PASSWORD },
    });
    const { profiles } = await dave.runJson(["whoami", "--all"], {
      env: { WIREROOM_URL: "http://127.0.0.1:9" },
    });
    const one = { url: daemon.base, email: dave.email, handle: null, keys: [] };
    expect(profiles).toEqual([
      { profile: "default", ...one },
      { profile: "work", ...one },
    ]);
    expect((await dave.run(["whoami", "--profile", "../other"])).code).toBe(2);
  });

  // [C-profile-home]
  it("sends tokens and keys only to the profile's daemon, and stores none of another daemon", async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
    const erin = new Human(() => daemon);
    await erin.signUpAndLogIn();
    await erin.runJson(["handle", "create", "erin"]);
    await erin.runJson(["key", "issue", "erin", "--save"]);
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
