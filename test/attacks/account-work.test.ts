/**
 * Attacks that find out whether an address has an account by the work that a request causes, and attacks on
 * mails.
 */
import crypto from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { confirmationCodeIn, type SmtpServer, startSmtpServer } from "../harness/smtp-server.js";

const { scrypt } = crypto;
let hashCount = 0;

let folder: string;
let host: IdentityHost;
let smtp: SmtpServer;
let clock = Date.now();
const { newAccount, post, postFrom, signIn } = identityClient(() => host);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attacks-"));
  smtp = await startSmtpServer();
});
afterAll(async () => {
  await smtp.close();
  await rm(folder, { recursive: true });
});

describe("the work of a request", () => {
  beforeAll(async () => {
    // The queue of mails is not searched meanwhile, as that would count as work of the request.
    const tuning = { mailPollMs: 600_000 };
    host = await startIdentityHost({ file: join(folder, "work.db"), tuning });
    crypto.scrypt = ((...args: Parameters<typeof scrypt>) => {
      hashCount++;
      scrypt(...args);
    }) as typeof scrypt;
    syncBuiltinESMExports();
  });
  afterAll(async () => {
    Object.assign(crypto, { scrypt });
    syncBuiltinESMExports();
    await host.close();
  });

  // [D10-no-tells]
  it.each<[string, (email: string) => Promise<unknown>, number]>([
    ["sign-up", (email) => post("sign-up", { email, password: "another password" }), 1],
    ["resend", (email) => post("resend", { email, password: "one more password" }), 1],
    ["confirm", (email) => post("confirm", { email, code: "000000", password: PASSWORD }), 1],
    ["forgot", (email) => post("forgot", { email }), 0],
    ["reset", (email) => post("reset", { email, code: "000000", password: PASSWORD }), 1],
    ["password", (email) => post("password", { email, password: "wrong one", new_password: PASSWORD }), 1],
    ["sign-in", (email) => signIn(email, "wrong one"), 1],
  ])("is the same with and without an account: %s", async (_name, ask, expectedHashes) => {
    const work = [];
    for (const email of [await newAccount(), newEmail()]) {
      hashCount = 0;
      host.calls.length = 0;
      await ask(email);
      // A mail is finished in the background.
      const calls = host.calls.filter((name) => name !== "finishMail");
      work.push({ calls, hashes: hashCount });
    }
    expect(work[0]!.calls.length).toBeGreaterThan(0);
    expect(work[0]).toEqual(work[1]);
    expect(work[0]!.hashes).toBe(expectedHashes);
  });
});

describe("mails", () => {
  beforeAll(async () => {
    host = await startIdentityHost({
      file: join(folder, "mails.db"),
      now: () => clock,
      settings: { smtpUrl: `${smtp.url}?from=wireroom@example.org` },
    });
  });
  afterAll(() => host.close());
  beforeEach(() => smtp.setBehaviour("work"));

  it.each([
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com\nb@example.com",
    "a@example.com,b@example.com",
    "a@example.com;b@example.com",
    "<a@example.com>",
    "Ada <a@example.com>",
    '"a b"@example.com',
    "a@example.com\u0000",
    "a@[127.0.0.1]",
    "a@example.com>\r\nRCPT TO:<b@example.com",
    "group:a@example.com;",
    "ａ@example.com",
  ])("are not sent to %j", async (email) => {
    const before = smtp.mails.length;
    for (const [path, body] of [
      ["sign-up", { email, password: PASSWORD }],
      ["forgot", { email }],
    ] as const)
      expect((await post(path, body)).body).toMatchObject({ errors: [{ instancePath: "/email" }] });
    expect(smtp.mails.length).toBe(before);
  });

  it("go to one recipient, whatever characters its address has", async () => {
    const email = `a!#$%&'*+/=?^_\`{|}~-z.${newEmail()}`;
    await post("sign-up", { email, password: PASSWORD });
    const mail = await smtp.waitForMail(email);
    expect(mail.to).toEqual([email]);
    expect(mail.text.match(/^(to|cc|bcc):.*$/gim)).toHaveLength(1);
  });

  // [D10-mail-kept]
  it("that the server cannot take are sent again, with a code that is valid from then on", async () => {
    const email = newEmail();
    smtp.setBehaviour("busy");
    await post("sign-up", { email, password: PASSWORD });
    await expect.poll(() => host.log.filter(({ msg }) => msg === "a mail could not be sent")).toHaveLength(1);
    smtp.setBehaviour("work");
    clock += 20 * 60_000;
    const code = confirmationCodeIn(await smtp.waitForMail(email));
    expect((await post("confirm", { email, code, password: PASSWORD })).status).toBe(200);
    await host.searchMails();
    clock += 60 * 60_000;
    await host.searchMails();
    expect(smtp.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
  });

  // [D10-long-code]
  it("say why a code is longer than usual", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD });
    expect((await smtp.waitForMail(email)).text).not.toContain("longer than usual");
    for (let n = 0; n < 20; n++)
      await postFrom(`203.0.${n}.1`, "reset", { email, code: "123456", password: PASSWORD });
    clock += 60 * 60_000;
    await post("resend", { email, password: PASSWORD });
    const mailed = () => smtp.mails.filter(({ to }) => to.includes(email));
    await expect.poll(() => mailed().length).toBe(2);
    const { text } = mailed()[1]!;
    expect(text).toContain("It is longer than usual");
    const code = /code is (\d{39})$/m.exec(text)![1];
    expect((await post("confirm", { email, code, password: PASSWORD })).status).toBe(200);
  });

  // [D10-mail-kept]
  it("that wait are sent after a restart", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD });
    await smtp.waitForMail(email);
    await post("resend", { email, password: PASSWORD });
    const { port } = host;
    await host.close();
    clock += 60_000;
    host = await startIdentityHost({
      ...{ file: join(folder, "mails.db"), now: () => clock, port },
      settings: { smtpUrl: smtp.url },
    });
    const code = confirmationCodeIn(await smtp.waitForMail(email));
    expect((await post("confirm", { email, code, password: PASSWORD })).status).toBe(200);
  });

  // [D10-reset-mail]
  it("say that the password was changed, and contain no code then", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD });
    const code = confirmationCodeIn(await smtp.waitForMail(email));
    await post("confirm", { email, code, password: PASSWORD });
    await post("password", { email, password: PASSWORD, new_password: "a quite different one" });
    const mail = await smtp.waitForMail(email);
    expect(mail.text).toContain("was changed");
    expect(mail.text.slice(mail.text.indexOf("\n\n"))).not.toMatch(/\b\d{6}\b/);
  });
});
