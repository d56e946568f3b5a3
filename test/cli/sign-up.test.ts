import { describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY, startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { confirmationCodes, Human, PASSWORD } from "../harness/human.js";
import { KEYS } from "../harness/terminal.js";

const { daemon } = await daemonFixture([], EMBEDDED_IDENTITY);

const newHuman = () => new Human(() => daemon);
const { enter } = KEYS;

/** Returns a code that differs from the correct one. */
const wrongCode = (code: string) => (code === "000000" ? "000001" : "000000");

describe("wireroom signup on a terminal", () => {
  // [C-signup-terminal] [C-signup-code-log] [C-ask-hidden]
  it("asks for e-mail, a hidden password twice and the code from the log, then signs in", async () => {
    const ada = newHuman();
    const terminal = ada.spawnTerminal(["signup"]);
    await terminal.waitFor("E-mail:");
    terminal.press(ada.email, enter);
    await terminal.waitFor("New password");
    terminal.press(PASSWORD, enter);
    await terminal.waitFor("Repeat the password");
    terminal.press(PASSWORD, enter);
    const screen = await terminal.waitFor("Code (press");
    expect(screen).toContain("no mail server, so the code is in its log");
    // The profile does not know the data folder, so `wireroom logs` would not find this log.
    expect(screen).toContain("in the terminal where the daemon runs");
    terminal.press(await ada.waitForCode(), enter);
    await terminal.waitFor("wireroom handle create NAME");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`✓ signed in as ${ada.email}`);
    expect(terminal.written).not.toContain(PASSWORD);
    // The code comes first: a terminal of 80 columns splits the line after it.
    expect(daemon.log()).toMatch(new RegExp(`"code":"\\d{6}","email":"${ada.email}"`));
    expect(await ada.runJson(["whoami"])).toMatchObject({ account: { email: ada.email }, handle: null });
  });

  // [C-signup-wrong-code]
  it("asks again after different passwords, a short password or a wrong code; empty input requests a new code", async () => {
    const bob = newHuman();
    const terminal = bob.openTerminal(["signup", "--email", bob.email]);
    const passwords = async (first: string, second: string) => {
      await terminal.waitFor(/New password[^\n]*: *\n?$/);
      terminal.press(first, enter);
      await terminal.waitFor(/Repeat the password: *\n?$/);
      terminal.press(second, enter);
    };
    await passwords(PASSWORD, "something else");
    await terminal.waitFor("The passwords differ");
    // A short password is refused before it is repeated.
    await terminal.waitFor(/New password[^\n]*: *\n?$/);
    terminal.press("short", enter);
    await terminal.waitFor("password must have at least 8 characters");
    await passwords(PASSWORD, PASSWORD);
    await terminal.waitFor("Code (press");
    const code = await bob.waitForCode();
    terminal.press("12345", enter);
    await terminal.waitFor("code must be 6 or 39 digits");
    terminal.press(wrongCode(code), enter);
    await terminal.waitFor("is wrong or has expired");
    terminal.press(enter);
    await terminal.waitFor("at least a minute after the last one");
    terminal.press(code, enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`signed in as ${bob.email}`);
  });

  // [C-signup-again]
  it("asks again only for what was wrong, and never for what was given", async () => {
    const dan = newHuman();
    const given = dan.openTerminal(["signup", "--email", "bad@"]);
    expect(await given.exitCode).toBe(2);
    expect(given.history).toContain("email: must be an e-mail address");

    const short = dan.openTerminal(["signup"], { env: { WIREROOM_PASSWORD: "short" } });
    await short.waitFor("E-mail:");
    short.press(dan.email, enter);
    expect(await short.exitCode).toBe(2);
    expect(short.history).toContain("password: must have at least 8 characters");

    const typed = dan.openTerminal(["signup"]);
    await typed.waitFor("E-mail:");
    typed.press("bad@", enter);
    await typed.waitFor("E-mail [bad@]:");
    typed.press(dan.email, enter);
    for (const [question, password] of [
      ["New password (at least 8 characters):", "short"],
      ["New password (at least 8 characters):", PASSWORD],
      ["Repeat the password:", PASSWORD],
    ] as const) {
      await typed.waitUntil((text) => text.trimEnd().endsWith(question), question);
      typed.press(password, enter);
    }
    await typed.waitFor("Code (press");
    expect(typed.history.match(/E-mail/g)).toHaveLength(2);
    typed.press(KEYS.interrupt);
    expect(await typed.exitCode).toBe(130);
  });

  // [C-ask-interrupt]
  it("exits with 130 after Ctrl-C, and stores nothing", async () => {
    const eve = newHuman();
    const terminal = eve.spawnTerminal(["signup", "--email", eve.email]);
    await terminal.waitFor("New password");
    terminal.press("half a pass", KEYS.interrupt);
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.written).not.toContain("half");
    await expect(eve.readProfile()).rejects.toThrow("ENOENT");
    expect(confirmationCodes(daemon.log(), eve.email)).toEqual([]);
  });
});

describe("wireroom signup in a pipe", () => {
  // [C-signup-pipe] [C-ask-pipe]
  it("requests a code with one command, and submits it with another", async () => {
    const ada = newHuman();
    const credentials = ["--email", ada.email, "--password-stdin"];
    const sent = await ada.run(["signup", ...credentials], { input: `${PASSWORD}\n` });
    expect(sent).toMatchObject({ code: 0, stdout: "code_sent\n" });
    expect(sent.stderr).toContain(`wireroom signup --email ${ada.email} --code CODE`);
    const code = await ada.waitForCode();

    const refused = await ada.run(["signup", ...credentials, "--code", wrongCode(code), "--json"], {
      input: PASSWORD,
    });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ keyword: "code" }],
    });

    const account = await ada.runJson(["signup", ...credentials, "--code", code], { input: PASSWORD });
    expect(account).toEqual({ id: expect.any(String), email: ada.email, approval_mails: null });
    expect(await ada.readProfile()).toMatchObject({ url: daemon.base, signIn: { email: ada.email } });
  });

  // [C-signup-pipe]
  it("resends and confirms only with the password of the sign-up", async () => {
    const ada = newHuman();
    const env = { WIREROOM_PASSWORD: PASSWORD };
    expect(await ada.runJson(["signup", "--email", ada.email], { env })).toEqual({
      email: ada.email,
      status: "code_sent",
    });
    expect(await ada.runJson(["signup", "--email", ada.email, "--resend"], { env })).toEqual({
      email: ada.email,
      status: "code_sent",
    });
    const code = await ada.waitForCode();
    const confirm = ["signup", "--email", ada.email, "--code", code];
    expect((await ada.run(confirm)).code).toBe(10);
    const other = { env: { WIREROOM_PASSWORD: "another password" } };
    expect(await ada.run(confirm, other)).toMatchObject({ code: 2, stdout: "" });
    expect(await ada.runJson(confirm, { env })).toMatchObject({ email: ada.email });
    expect((await ada.run(["whoami"])).code).toBe(0);
  });

  // [C-ask-pipe]
  it("asks no questions: it exits with 10 if a value is missing", async () => {
    const ada = newHuman();
    const noEmail = await ada.run(["signup", "--json"]);
    expect(noEmail.code).toBe(10);
    expect(JSON.parse(noEmail.stderr)).toMatchObject({ code: "NO_TERMINAL" });
    const noPassword = await ada.run(["signup", "--email", ada.email]);
    expect(noPassword.code).toBe(10);
    expect(noPassword.stderr).toContain("WIREROOM_PASSWORD");
    expect(confirmationCodes(daemon.log(), ada.email)).toEqual([]);
  });

  it("names the page for new accounts of an external provider", async () => {
    const external = await startDaemon({ isHosted: true });
    const { code, stderr } = await new Human(() => external).run(["signup", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr).message).toContain(external.issuer.url);
    await external.stop();
  });
});
