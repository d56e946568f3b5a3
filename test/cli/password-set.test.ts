import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { Human } from "../harness/human.js";
import { KEYS } from "../harness/terminal.js";

const secret = "the secret of the local sign-in";
const { daemon } = await daemonFixture([], { ...EMBEDDED_IDENTITY, localSecret: secret });
const PASSWORD = "a quite different one";

/** Returns a human whose command is signed in without a password. */
async function localHuman(name: string): Promise<Human> {
  const human = new Human(() => daemon);
  const response = await fetch(`${daemon.origin}/identity/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret, email: `${name}@localhost` }),
  });
  const { id_token: idToken, refresh_token: refreshToken } = (await response.json()) as Record<
    string,
    string
  >;
  const signIn = {
    ...{ email: `${name}@localhost`, issuer: `${daemon.origin}/identity` },
    ...{ clientId: "wireroom-cli", idToken, refreshToken },
  };
  await mkdir(dirname(human.profilePath()), { recursive: true });
  await writeFile(human.profilePath(), JSON.stringify({ url: daemon.base, signIn }));
  return human;
}

describe("wireroom password set", () => {
  // [C-password-set]
  it("asks for the address, a password and the code on a terminal", async () => {
    const ada = await localHuman("ada");
    const terminal = ada.openTerminal(["password", "set"]);
    await terminal.waitFor(/E-mail: *\n?$/);
    terminal.press("ada@localhost", KEYS.enter);
    await terminal.waitFor("must not end in @localhost");
    await terminal.waitFor(/E-mail \[ada@localhost\]: *\n?$/);
    terminal.press(ada.email, KEYS.enter);
    await terminal.waitFor(/New password[^\n]*: *\n?$/);
    terminal.press(PASSWORD, KEYS.enter);
    await terminal.waitFor(/Repeat the password: *\n?$/);
    terminal.press(PASSWORD, KEYS.enter);
    await terminal.waitFor("Code (press");
    terminal.press(await ada.waitForCode(), KEYS.enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain(`the account has the address ${ada.email} and a password now`);
    expect((await ada.readProfile()).signIn.email).toBe(ada.email);
    const again = ["login", "--profile", "again", "--email", ada.email];
    expect((await ada.run(again, { env: { WIREROOM_PASSWORD: PASSWORD } })).code).toBe(0);
  });

  // [C-password-set]
  it("takes two commands in a pipe, and works once", async () => {
    const bob = await localHuman("bob");
    const set = ["password", "set", "--email", bob.email, "--password-stdin"];
    const sent = await bob.run(set, { input: PASSWORD });
    expect(sent).toMatchObject({ code: 0, stdout: "code_sent\n" });
    expect(sent.stderr).toContain(
      `Then: wireroom password set --email ${bob.email} --code CODE --password-stdin`,
    );
    const confirm = [...set, "--code", await bob.waitForCode()];
    expect(await bob.runJson(confirm, { input: PASSWORD })).toEqual({ email: bob.email, status: "set" });
    const again = await bob.run(confirm, { input: PASSWORD });
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain("already has an address and a password");
  });

  // [C-password-set]
  it("needs a sign-in", async () => {
    expect((await new Human(() => daemon).run(["password", "set"])).code).toBe(3);
  });

  // [C-password-set] [C-password-forgot]
  it("is what commands for passwords name for an account without one", async () => {
    const human = await localHuman("carol");
    for (const args of [["forgot", "--email", "carol@localhost"], ["change"]]) {
      const { code, stderr } = await human.run(["password", ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain("wireroom password set");
    }
    const login = await human.run(["login", "--email", "carol@localhost", "--json"]);
    expect(JSON.parse(login.stderr).message).toContain("an account of wireroom init, which has no password");
  });
});
