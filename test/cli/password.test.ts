import { describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { Human, PASSWORD } from "../harness/human.js";
import { KEYS, type Terminal } from "../harness/terminal.js";

const { daemon } = await daemonFixture([], EMBEDDED_IDENTITY);
const NEW_PASSWORD = "a quite different one";
const { enter } = KEYS;

const newAccount = async () => {
  const human = new Human(() => daemon);
  await human.signUpAndLogIn();
  return human;
};
const logIn = (human: Human, password: string) =>
  human.run(["login", "--profile", "again", "--email", human.email], {
    env: { WIREROOM_PASSWORD: password },
  });

async function enterNewPassword(terminal: Terminal, password: string): Promise<void> {
  await terminal.waitFor(/New password[^\n]*: *\n?$/);
  terminal.press(password, enter);
  await terminal.waitFor(/Repeat the password: *\n?$/);
  terminal.press(password, enter);
}

describe("wireroom password forgot", () => {
  // [C-password-forgot]
  it("asks for the code and a new password on a terminal, and signs in", async () => {
    const ada = await newAccount();
    const terminal = ada.openTerminal(["password", "forgot"], { columns: 130 });
    await terminal.waitFor(`E-mail [${ada.email}]`);
    terminal.press(enter);
    await terminal.waitFor(/New password[^\n]*: *\n?$/);
    terminal.press("password", enter);
    await terminal.waitFor("password is a common password");
    await enterNewPassword(terminal, NEW_PASSWORD);
    await terminal.waitFor("Code (press Enter for a new one)");
    terminal.press(enter);
    await terminal.waitFor("the last one stays valid");
    const code = await ada.waitForResetCode();
    // A wrong code is rejected at once, before anything else is asked.
    terminal.press(code === "000000" ? "000001" : "000000", enter);
    await terminal.waitFor(/code is wrong or has expired[^\n]*\n+Code \(press[^\n]*: *\n?$/);
    terminal.press(code, enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`changed the password of ${ada.email}; signed in as ${ada.email}`);
    expect(terminal.history.match(/Repeat the password/g)).toHaveLength(1);
    expect(terminal.written).not.toContain(NEW_PASSWORD);
    expect((await ada.run(["whoami"])).code).toBe(0);
  });

  // [C-password-forgot]
  it("sends a code in a pipe, and password reset sets the password; other sign-ins end", async () => {
    const ada = await newAccount();
    expect(await ada.runJson(["password", "forgot", "--email", ada.email])).toEqual({
      email: ada.email,
      status: "code_sent",
    });
    const reset = ["password", "reset", "--profile", "new", "--email", ada.email, "--password-stdin"];
    const input = `${NEW_PASSWORD}\n`;
    expect((await ada.run([...reset, "--code", "12345"], { input })).code).toBe(2);
    const account = await ada.runJson([...reset, "--code", await ada.waitForResetCode()], { input });
    expect(account).toEqual({ id: expect.any(String), email: ada.email, approval_mails: null });
    expect((await logIn(ada, PASSWORD)).code).toBe(3);
    expect((await logIn(ada, NEW_PASSWORD)).code).toBe(0);
    const { signIn } = await ada.readProfile();
    expect((await refresh(signIn.refreshToken)).status).toBe(400);
  });

  it("prints the same for an address without an account", async () => {
    const nobody = new Human(() => daemon);
    expect(await nobody.runJson(["password", "forgot", "--email", nobody.email])).toEqual({
      email: nobody.email,
      status: "code_sent",
    });
  });
});

describe("wireroom password reset", () => {
  // [C-password-forgot]
  it("asks for what is missing on a terminal", async () => {
    const ada = await newAccount();
    await ada.runJson(["password", "forgot", "--email", ada.email]);
    const terminal = ada.openTerminal(["password", "reset"]);
    await terminal.waitFor(`E-mail [${ada.email}]`);
    terminal.press(enter);
    await enterNewPassword(terminal, NEW_PASSWORD);
    await terminal.waitFor("Code (press");
    terminal.press(await ada.waitForResetCode(), enter);
    expect(await terminal.exitCode).toBe(0);
    expect((await logIn(ada, NEW_PASSWORD)).code).toBe(0);
  });

  it("exits with 10 in a pipe if the code is missing", async () => {
    const nobody = new Human(() => daemon);
    const reset = ["password", "reset", "--email", nobody.email, "--password-stdin"];
    expect(await nobody.run(reset, { input: NEW_PASSWORD })).toMatchObject({
      code: 10,
      stderr: expect.stringContaining("--code CODE"),
    });
  });
});

describe("wireroom password change", () => {
  // [C-password-change]
  it("says whose password it changes, and asks again only for what was wrong", async () => {
    const ada = await newAccount();
    const terminal = ada.spawnTerminal(["password", "change"]);
    await terminal.waitFor(`Change the password of ${ada.email}.`);
    await terminal.waitFor(/Current password: *\n?$/);
    terminal.press("not the password", enter);
    await enterNewPassword(terminal, NEW_PASSWORD);
    await terminal.waitFor("password is wrong");
    await terminal.waitFor(/Current password: *\n?$/);
    terminal.press(PASSWORD, enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`changed the password of ${ada.email}`);
    expect(terminal.history.match(/Repeat the password/g)).toHaveLength(1);
    expect((await logIn(ada, NEW_PASSWORD)).code).toBe(0);
  });

  // [C-password-change]
  it("replaces the password, and this sign-in stays while others end", async () => {
    const ada = await newAccount();
    expect((await logIn(ada, PASSWORD)).code).toBe(0);
    const input = `${PASSWORD}\n${NEW_PASSWORD}\n`;
    expect(await ada.runJson(["password", "change", "--password-stdin"], { input })).toEqual({
      email: ada.email,
      status: "changed",
    });
    const [own, other] = [await ada.readProfile(), await ada.readProfile("again")];
    expect((await refresh(own.signIn.refreshToken)).status).toBe(200);
    expect((await refresh(other.signIn.refreshToken)).status).toBe(400);
    expect((await logIn(ada, NEW_PASSWORD)).code).toBe(0);
  });

  // [C-password-change]
  it("exits with 2 for a wrong or a missing password, and with 3 without a sign-in", async () => {
    const ada = await newAccount();
    const change = ["password", "change", "--password-stdin"];
    const wrong = await ada.run([...change, "--json"], { input: `not the password\n${NEW_PASSWORD}` });
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stderr).errors).toMatchObject([{ instancePath: "/password" }]);
    expect((await ada.run(change, { input: PASSWORD })).code).toBe(2);
    expect((await new Human(() => daemon).run(change, { input: "a\nb" })).code).toBe(3);
    expect((await ada.run(["password", "change"])).code).toBe(10);
  });
});

const refresh = (refreshToken: string) =>
  fetch(`${daemon.origin}/identity/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: "wireroom-cli",
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    }),
  });
