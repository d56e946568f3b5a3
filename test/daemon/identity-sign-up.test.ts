import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type IdentityResponse,
  identityClient,
  newEmail,
  PASSWORD,
  readJsonResponse,
} from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { confirmationCodeIn, type SmtpServer, startSmtpServer } from "../harness/smtp-server.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const host = await identityFixture();
const DAY = 24 * 60 * 60_000;
const folder = new TemporaryFolder("wireroom-identity-").path;
const { newAccount, post, signIn } = identityClient(() => host);

describe("the sign-up", () => {
  // [S5-sign-up] [D10-sign-up] [D10-confirm] [D10-code-log]
  it("returns 202 for e-mail and password, 200 for the 6-digit code, and then the human can sign in", async () => {
    const email = newEmail();
    expect(await post("sign-up", { email, password: PASSWORD })).toMatchObject({ status: 202, body: {} });
    expect(host.code(email)).toMatch(/^\d{6}$/);
    expect((await signIn(email)).body).toMatchObject({ error: "invalid_grant" });
    expect(await post("confirm", { email, code: host.code(email), password: PASSWORD })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await signIn(email)).status).toBe(200);
  });

  it("normalises the case and the spaces of an address", async () => {
    const email = await newAccount();
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(200);
  });

  it("with the same password is the same sign-up, and with another password another one beside it", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD });
    const code = host.code(email);
    await post("sign-up", { email, password: "another password" });
    await post("sign-up", { email, password: PASSWORD });
    expect((await post("confirm", { email, code, password: "another password" })).status).toBe(400);
    expect((await post("confirm", { email, code, password: PASSWORD })).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  it("never changes a confirmed account", async () => {
    const email = await newAccount();
    const code = host.code(email);
    expect(await post("sign-up", { email, password: "someone else's" })).toMatchObject({
      status: 202,
      body: {},
    });
    expect(host.code(email)).toBe(code);
    expect((await post("confirm", { email, code, password: PASSWORD })).status).toBe(400);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ["no e-mail", { password: PASSWORD }, { instancePath: "", keyword: "required" }],
    ["no address", { email: "nobody", password: PASSWORD }, { instancePath: "/email", keyword: "format" }],
    [
      "two lines",
      { email: "a@b.c\r\nBcc: x@y.z", password: PASSWORD },
      { instancePath: "/email", keyword: "format" },
    ],
    [
      "too long an address",
      { email: `a@${"b.".repeat(130)}c`, password: PASSWORD },
      { instancePath: "/email" },
    ],
    [
      "7 characters",
      { email: "a@b.c", password: "1234567" },
      { instancePath: "/password", keyword: "minLength" },
    ],
    [
      "7 emoji",
      { email: "a@b.c", password: "😀".repeat(7) },
      { instancePath: "/password", keyword: "minLength" },
    ],
    [
      "1,025",
      { email: "a@b.c", password: "x".repeat(1025) },
      { instancePath: "/password", keyword: "maxLength" },
    ],
    ["a number", { email: "a@b.c", password: 12345678 }, { instancePath: "/password", keyword: "type" }],
    ["more", { email: "a@b.c", password: PASSWORD, admin: true }, { keyword: "additionalProperties" }],
    ["a list", [], { instancePath: "", keyword: "type" }],
    ["null", "null", { instancePath: "", keyword: "type" }],
    ["no JSON", "{", { keyword: "json" }],
    ["a key twice", '{"email":"a@b.c","email":"a@b.c"}', { keyword: "json" }],
    ["a lone surrogate", '{"email":"a@b.c","password":"1234567\\ud800"}', { keyword: "json" }],
    ["over 64 KiB", { email: "a@b.c", password: "x".repeat(70_000) }, { keyword: "maxLength" }],
  ])("returns 400 VALIDATION_ERROR with a reason for %s", async (_what, body, reason) => {
    const { status, body: envelope } = await post("sign-up", body);
    expect(envelope).toMatchObject({ code: "VALIDATION_ERROR", message: expect.any(String) });
    expect(envelope.errors).toContainEqual(expect.objectContaining(reason));
    expect(status).toBe(400);
  });

  it("rejects other content types, methods and paths", async () => {
    const url = `${host.origin}/identity/sign-up`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect((await readJsonResponse(await fetch(url))).body.code).toBe("NOT_FOUND");
    expect((await post("nothing", {})).body.code).toBe("NOT_FOUND");
    expect((await post("__proto__", {})).body.code).toBe("NOT_FOUND");
  });

  it("accepts passwords of 1,024 characters, with any Unicode in any normalisation form", async () => {
    const email = newEmail();
    const password = "é".normalize("NFD").padEnd(1024, "ü\u0000日");
    await post("sign-up", { email, password });
    await post("confirm", { email, code: host.code(email), password });
    expect((await signIn(email, password.normalize("NFC"))).status).toBe(200);
  });
});

describe("no response reveals whether an address has an account:", () => {
  // [D10-no-tells] [D10-resend]
  it("sign-up, resend, confirmation and sign-in are equal for known and unknown addresses", async () => {
    const known = await newAccount();
    const unknown = newEmail();
    const comparable = ({ status, body, headers }: IdentityResponse) => ({
      status,
      body,
      type: headers.get("content-type"),
    });
    for (const ask of [
      (email: string) => post("sign-up", { email, password: PASSWORD }),
      (email: string) => post("resend", { email, password: PASSWORD }),
      (email: string) => post("confirm", { email, code: "000000", password: PASSWORD }),
      (email: string) => signIn(email, "wrong password"),
    ]) {
      expect(comparable(await ask(known))).toEqual(comparable(await ask(unknown)));
    }
  });

  // [D10-no-tells]
  it("a sign-in takes equally long for an unknown address and for a wrong password", async () => {
    const slow = await startIdentityHost({ file: join(folder, "slow.db"), tuning: { scryptLog2N: 15 } });
    const known = await newAccount(slow);
    const time = async (email: string) => {
      const start = performance.now();
      await signIn(email, "wrong password", slow);
      return performance.now() - start;
    };
    const missing = newEmail();
    const times: { wrong: number; unknown: number }[] = [];
    for (let i = 0; i < 4; i++) times.push({ wrong: await time(known), unknown: await time(missing) });
    await slow.close();
    // The shortest times are those that a busy machine prolonged least.
    const wrong = Math.min(...times.map((each) => each.wrong));
    const unknown = Math.min(...times.map((each) => each.unknown));
    // Without the hash of a dummy password, the request would be about a hundred times faster.
    expect(unknown / wrong).toBeGreaterThan(0.2);
    expect(unknown / wrong).toBeLessThan(5);
  });
});

describe("the confirmation code", () => {
  let clock: number;
  let own: IdentityHost;

  beforeEach(async () => {
    clock = Date.now();
    own = await startIdentityHost({ file: join(folder, `code-${newEmail()}.db`), now: () => clock });
  });
  afterEach(() => own.close());

  const wrong = (code: string) => (code === "000000" ? "111111" : "000000");

  // [D10-code-age] [D10-resend]
  it("expires after 10 minutes, and can be resent", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    clock += 10 * 60_000;
    expect((await post("confirm", { email, code, password: PASSWORD }, own)).body).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ instancePath: "/code" }],
    });
    expect(await post("resend", { email, password: PASSWORD }, own)).toMatchObject({ status: 202, body: {} });
    expect((await post("confirm", { email, code: own.code(email), password: PASSWORD }, own)).status).toBe(
      200,
    );
  });

  // [D10-code-tries]
  it("expires after 5 wrong attempts, even concurrent ones", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    await Promise.all(
      Array.from({ length: 5 }, () => post("confirm", { email, code: wrong(code), password: PASSWORD }, own)),
    );
    expect((await post("confirm", { email, code, password: PASSWORD }, own)).status).toBe(400);
  });

  it("still works after 4 wrong attempts", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    for (let i = 0; i < 4; i++)
      await post("confirm", { email, code: wrong(own.code(email)), password: PASSWORD }, own);
    expect((await post("confirm", { email, code: own.code(email), password: PASSWORD }, own)).status).toBe(
      200,
    );
  });

  // [D10-mail-spacing] [D10-mail-kept]
  it("is sent again at least 30 s × 2^n after the n-th mail before, never lost, and valid from when it is sent", async () => {
    const email = newEmail();
    const sent = () =>
      own.log.filter((line) => line.msg === "confirmation code" && line.email === email).length;
    await post("sign-up", { email, password: PASSWORD }, own);
    for (const [n, seconds] of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].entries()) {
      expect(await post("resend", { email, password: PASSWORD }, own)).toMatchObject({
        status: 202,
        body: {},
      });
      clock += seconds * 1_000 - 1;
      await own.searchMails();
      expect(sent()).toBe(n + 1);
      clock += 1;
      await expect.poll(sent).toBe(n + 2);
    }
    clock += 9 * 60_000;
    expect((await post("confirm", { email, code: own.code(email), password: PASSWORD }, own)).status).toBe(
      200,
    );
  });

  it("is sent at once again after a day", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    clock += 24 * 60 * 60_000;
    await post("sign-up", { email, password: PASSWORD }, own);
    expect(own.log.filter((line) => line.email === email)).toHaveLength(2);
  });

  it.each(["12345", "1234567", "abcdef", "１２３４５６"])(
    "that does not have 6 digits (%s) returns 400",
    async (code) => {
      expect((await post("confirm", { email: "a@b.c", code, password: PASSWORD }, own)).body).toMatchObject({
        code: "VALIDATION_ERROR",
      });
    },
  );
});

describe("an e-mail through --smtp-url", () => {
  let clock: number;
  let smtp: SmtpServer;
  let own: IdentityHost;

  beforeEach(async () => {
    smtp = await startSmtpServer();
    clock = Date.now();
    own = await startIdentityHost({
      file: join(folder, `mail-${newEmail()}.db`),
      now: () => clock,
      settings: { smtpUrl: `${smtp.url}?from=wireroom@example.org` },
    });
  });
  afterEach(async () => {
    await own.close();
    await smtp.close();
  });

  // [D10-code-mail]
  it("contains the code, which is then not logged", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const mail = await smtp.waitForMail(email);
    expect(mail.from).toBe("wireroom@example.org");
    expect(
      (await post("confirm", { email, code: confirmationCodeIn(mail), password: PASSWORD }, own)).status,
    ).toBe(200);
    expect(JSON.stringify(own.log)).not.toContain(confirmationCodeIn(mail));
  });

  it("informs only the owner of an account when someone signs up with its address", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    await post(
      "confirm",
      { email, code: confirmationCodeIn(await smtp.waitForMail(email)), password: PASSWORD },
      own,
    );
    clock += 60_000;
    await post("sign-up", { email, password: "another password" }, own);
    const mail = await smtp.waitForMail(email);
    expect(mail.text).toContain("You already have an account");
    // The headers contain ids, which may contain six consecutive digits by chance.
    const body = mail.text.slice(mail.text.indexOf("\n\n"));
    expect(body).toContain("You already have an account");
    expect(body).not.toMatch(/\b\d{6}\b/);
  });

  it.each(["refuse", "hang"] as const)(
    "that cannot be sent (%s) neither fails nor delays the sign-up",
    async (how) => {
      smtp.setBehaviour(how);
      const email = newEmail();
      const start = performance.now();
      expect((await post("sign-up", { email, password: PASSWORD }, own)).status).toBe(202);
      expect(performance.now() - start).toBeLessThan(5_000);
      if (how === "hang") return;
      await expect.poll(() => own.log.find((line) => line.msg === "a mail could not be sent")).toBeTruthy();
      expect(JSON.stringify(own.log)).not.toContain(email);
    },
  );

  // [D10-account-throttle]
  it("with a code for a sign-in states how long the code is valid at least", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = confirmationCodeIn(await smtp.waitForMail(email));
    await post("confirm", { email, code, password: PASSWORD }, own);
    const tries = Array.from({ length: 100 }, (_, n) => identityClient(() => own, `10.0.${n}.1`));
    for (const stranger of tries) await stranger.signIn(email, "wrong one");
    await signIn(email, PASSWORD, own);
    expect((await smtp.waitForMail(email)).text).toContain("The code is valid for at least 10 minutes.");
  });

  // [D10-mail-kept]
  it.each(["busy", "refuse-sender"] as const)(
    "that the mail server takes only after 6 days (%s) is not lost, and its code is valid then",
    async (how) => {
      const [human, late] = [newEmail(), newEmail()];
      await post("sign-up", { email: human, password: PASSWORD }, own);
      const code = confirmationCodeIn(await smtp.waitForMail(human));
      await post("confirm", { email: human, code, password: PASSWORD }, own);
      smtp.setBehaviour(how);
      const change = { email: human, password: PASSWORD, new_password: "another password" };
      expect((await post("password", change, own)).status).toBe(200);
      await post("sign-up", { email: late, password: PASSWORD }, own);
      const failures = () => own.log.filter((line) => line.msg === "a mail could not be sent").length;
      await expect.poll(failures).toBeGreaterThanOrEqual(2);
      clock += 6 * DAY;
      await own.purge();
      await expect.poll(failures).toBeGreaterThanOrEqual(4);
      smtp.setBehaviour("work");
      clock += 2 * 60_000;
      expect((await smtp.waitForMail(human)).text).toContain("password was changed");
      const lateCode = confirmationCodeIn(await smtp.waitForMail(late));
      await own.purge();
      expect((await post("confirm", { email: late, code: lateCode, password: PASSWORD }, own)).status).toBe(
        200,
      );
    },
  );

  // [D10-mail-kept]
  it("that the mail server does not take for 7 days is deleted", async () => {
    smtp.setBehaviour("busy");
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    await expect.poll(() => own.log.some((line) => line.msg === "a mail could not be sent")).toBe(true);
    clock += 7 * DAY;
    await own.purge();
    smtp.setBehaviour("work");
    clock += 2 * 60_000;
    await own.searchMails();
    expect(smtp.mails).toEqual([]);
  });
});
