/** The command `account`, with the embedded provider. */
import { describe, expect, it, onTestFinished } from "vitest";
import { EMBEDDED_IDENTITY, startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { Human, PASSWORD } from "../harness/human.js";
import { startSmtpServer, withMailedCodes } from "../harness/smtp-server.js";

const { daemon } = await hostedFixture([], EMBEDDED_IDENTITY);

/** A human with two profiles, which have a sign-in each. */
async function newHuman(): Promise<Human> {
  const human = new Human(() => daemon);
  await human.signUpAndLogIn();
  await human.runJson(["login", "--email", human.email, "--profile", "laptop"], {
    env: { WIREROOM_PASSWORD: PASSWORD },
  });
  return human;
}

describe("wireroom account set", () => {
  // [C-account-set]
  it("turns mails about approvals on and off, and whoami shows the choice", async () => {
    const smtp = await startSmtpServer();
    const args = ["--smtp-url", smtp.url];
    const mailing = withMailedCodes(await startDaemon({ ...EMBEDDED_IDENTITY, args }), smtp);
    onTestFinished(async () => {
      await mailing.stop();
      await smtp.close();
    });
    const human = new Human(() => mailing);
    await human.signUpAndLogIn();
    expect((await human.run(["account", "set"])).code).toBe(2);
    for (const [given, meant] of [
      ["no", "off"],
      ["yes", "on"],
      ["false", "off"],
      ["of", "off"],
    ]) {
      const wrong = await human.run(["account", "set", "--approval-mails", given!]);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`Did you mean ${meant}?`)]);
    }
    for (const choice of ["on", "off"]) {
      const set = await human.runJson(["account", "set", "--approval-mails", choice]);
      expect(set.approval_mails).toBe(choice === "on");
      const { stdout } = await human.run(["whoami"]);
      expect(stdout).toContain(`approval mails\t${choice}\n`);
    }
    const without = await newHuman();
    const refused = await without.run(["account", "set", "--approval-mails", "on"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("this daemon has no mail server"),
    ]);
    expect((await without.run(["whoami"])).stdout).not.toContain("approval mails");
  });
});

describe("wireroom account delete", () => {
  // [C-account-delete]
  it("states its effects, asks for the e-mail address, and forgets the profile's sign-in and keys", async () => {
    const human = await newHuman();
    const slug = `cli-${human.email.split("@")[0]}`;
    await human.runJson(["handle", "create", slug]);
    await human.runJson(["key", "issue", slug, "--save"]);
    const unasked = await human.run(["account", "delete", "--json"]);
    expect([unasked.code, JSON.parse(unasked.stderr).code]).toEqual([10, "NO_TERMINAL"]);
    const wrong = human.openTerminal(["account", "delete"], { columns: 130 });
    await wrong.waitFor(`Type ${human.email} to confirm:`);
    expect(wrong.history).toContain("wireroom export FILE");
    expect(wrong.history).toContain(`@${slug}`);
    wrong.press("yes\r");
    expect(await wrong.exitCode).toBe(10);
    const typed = human.openTerminal(["account", "delete"], { columns: 130 });
    await typed.waitFor(`Type ${human.email} to confirm:`);
    typed.press(`${human.email}\r`);
    expect(await typed.exitCode).toBe(0);
    expect(typed.history).toContain(`the account ${human.email} is deleted`);
    const { signIn, keys, handle } = await human.readProfile();
    expect({ signIn, keys, handle }).toEqual({ signIn: undefined, keys: {}, handle: undefined });
    expect((await human.run(["whoami"])).stderr).not.toContain(human.email);
    expect((await human.run(["handle", "list", "--profile", "laptop"])).code).toBe(3);
    const login = await human.run(["login", "--email", human.email], {
      env: { WIREROOM_PASSWORD: PASSWORD },
    });
    expect(login.code).toBe(3);
  });

  // [C-account-delete]
  it("accepts --yes, and says what happens to the spaces", async () => {
    const human = await newHuman();
    const slug = `cli-${human.email.split("@")[0]}`;
    await human.runJson(["handle", "create", slug]);
    await human.runJson(["space", "create", `${slug}-room`, "--visibility", "public"]);
    expect((await human.run(["account", "delete", "--help"])).stdout).toContain("longest-standing mods");
    expect(await human.runJson(["account", "delete", "--yes"])).toMatchObject({ deleted: true });
  });
});
