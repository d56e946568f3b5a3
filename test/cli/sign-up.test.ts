import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { Machine } from "../harness/machine.js";
import { codesOf, PASSWORD, Person } from "../harness/person.js";
import { KEYS, Terminal } from "../harness/terminal.js";

const { daemon } = await fileDaemon([], { embedded: true });

const newPerson = () => new Person(() => daemon);
const { enter } = KEYS;

/** Another one than the right one. */
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

describe("signup beside a daemon whose log it can read", () => {
  let machine: Machine;

  beforeEach(async () => {
    machine = await Machine.make();
    // It writes no codes itself, so that the test says when they come.
    await machine.json(["up", "--log-level", "error"]);
  });
  afterEach(() => machine.end());

  const write = (email: string, code: string) =>
    appendFile(
      join(machine.dataDir, "daemon.log"),
      `${JSON.stringify({ time: new Date().toISOString(), msg: "confirmation code", email, code })}\n`,
    );

  it("waits a little for the code, shows a new one that is asked for, or that which is still valid [C-signup-code-log]", async () => {
    const email = "late@example.com";
    const terminal = Terminal.wireroom(["signup", "--email", email], {
      env: { ...machine.env, WIREROOM_PASSWORD: PASSWORD },
    });
    // It has asked for the code by then, on a machine that is not too busy.
    await sleep(1_200);
    await write(email, "111111");
    await terminal.waitFor("its log on this machine says: 111111");
    await terminal.waitFor("Code (6 digits");
    terminal.press(enter);
    await terminal.waitFor("The daemon's log says: 111111");
    terminal.press(enter);
    await write(email, "222222");
    await terminal.waitFor("The daemon's log says: 222222");
    terminal.press(KEYS.interrupt);
    expect(await terminal.ended).toBe(130);
  });
});

describe("signup on a terminal", () => {
  it("asks for e-mail, a hidden password twice, and the code of the log; then one is signed in [C-signup-terminal] [C-signup-code-log] [C-ask-hidden]", async () => {
    const ada = newPerson();
    const terminal = ada.terminal(["signup"]);
    await terminal.waitFor("E-mail:");
    terminal.press(ada.email, enter);
    await terminal.waitFor("New password");
    terminal.press(PASSWORD, enter);
    await terminal.waitFor("The same again");
    terminal.press(PASSWORD, enter);
    const screen = await terminal.waitFor("Code (6 digits");
    expect(screen).toContain("no mail server: the code is in its log");
    expect(screen).toContain("wireroom logs");
    terminal.press(await ada.code(), enter);
    await terminal.waitFor("wireroom handle create NAME");
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain(`✓ signed in as ${ada.email}`);
    expect(terminal.written).not.toContain(PASSWORD);
    expect(await ada.json(["whoami"])).toMatchObject({ account: { email: ada.email }, handle: null });
  });

  it("asks again after passwords that differ, a password that is too short, and a wrong code; nothing sends a new one [C-signup-wrong-code]", async () => {
    const bob = newPerson();
    const terminal = bob.terminal(["signup", "--email", bob.email]);
    const passwords = async (first: string, second: string) => {
      await terminal.waitFor(/New password[^\n]*: *\n?$/);
      terminal.press(first, enter);
      await terminal.waitFor(/The same again: *\n?$/);
      terminal.press(second, enter);
    };
    await passwords(PASSWORD, "something else");
    await terminal.waitFor("They differ");
    await passwords("short", "short");
    await terminal.waitFor("password must have at least 8 characters");
    await passwords(PASSWORD, PASSWORD);
    await terminal.waitFor("Code (6 digits");
    const code = await bob.code();
    terminal.press("12345", enter);
    await terminal.waitFor("code must be the 6 digits");
    terminal.press(wrong(code), enter);
    await terminal.waitFor("is wrong or has expired");
    terminal.press(enter);
    await terminal.waitFor("if the last one is older than 30 seconds");
    terminal.press(code, enter);
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain(`signed in as ${bob.email}`);
  });

  it("ends with 130 at Ctrl-C in the middle, and keeps nothing [C-ask-interrupt]", async () => {
    const eve = newPerson();
    const terminal = eve.terminal(["signup", "--email", eve.email]);
    await terminal.waitFor("New password");
    terminal.press("half a pass", KEYS.interrupt);
    expect(await terminal.ended).toBe(130);
    expect(terminal.written).not.toContain("half");
    await expect(eve.profile()).rejects.toThrow("ENOENT");
    expect(codesOf(daemon.log(), eve.email)).toEqual([]);
  });
});

describe("signup in a pipe", () => {
  it("has a code sent with one command, and takes it with another [C-signup-pipe] [C-ask-pipe]", async () => {
    const ada = newPerson();
    const credentials = ["--email", ada.email, "--password-stdin"];
    const sent = await ada.run(["signup", ...credentials], { input: `${PASSWORD}\n` });
    expect(sent).toMatchObject({ code: 0, stdout: "code_sent\n" });
    expect(sent.stderr).toContain(`wireroom signup --email ${ada.email} --code CODE`);
    const code = await ada.code();

    const refused = await ada.run(["signup", "--email", ada.email, "--code", wrong(code), "--json"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ keyword: "code" }],
    });

    const account = await ada.json(["signup", ...credentials, "--code", code], { input: PASSWORD });
    expect(account).toEqual({ id: expect.any(String), email: ada.email });
    expect(await ada.profile()).toMatchObject({ url: daemon.base, signIn: { email: ada.email } });
  });

  it("confirms without a password too, and sends a code again [C-signup-pipe]", async () => {
    const ada = newPerson();
    const env = { WIREROOM_PASSWORD: PASSWORD };
    expect(await ada.json(["signup", "--email", ada.email], { env })).toEqual({
      email: ada.email,
      status: "code_sent",
    });
    expect(await ada.json(["signup", "--email", ada.email, "--resend"])).toEqual({
      email: ada.email,
      status: "code_sent",
    });
    const code = await ada.code();
    expect(await ada.json(["signup", "--email", ada.email, "--code", code])).toEqual({
      email: ada.email,
      status: "confirmed",
    });
    expect((await ada.run(["whoami"])).code).toBe(3);
  });

  it("asks nothing: what is missing ends it with 10 [C-ask-pipe]", async () => {
    const ada = newPerson();
    const noEmail = await ada.run(["signup", "--json"]);
    expect(noEmail.code).toBe(10);
    expect(JSON.parse(noEmail.stderr)).toMatchObject({ code: "NO_TERMINAL" });
    const noPassword = await ada.run(["signup", "--email", ada.email]);
    expect(noPassword.code).toBe(10);
    expect(noPassword.stderr).toContain("WIREROOM_PASSWORD");
    expect(codesOf(daemon.log(), ada.email)).toEqual([]);
  });

  it("says where accounts are made where the provider is someone else's", async () => {
    const external = await startDaemon();
    const { code, stderr } = await new Person(() => external).run(["signup", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).message).toContain(external.issuer.url);
    await external.stop();
  });
});
