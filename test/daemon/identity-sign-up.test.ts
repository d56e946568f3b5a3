import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, answer, identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { codeIn, type SmtpServer, startSmtpServer } from "../harness/smtp-server.js";

let folder: string;
let host: IdentityHost;
const { newAccount, post, signIn } = identityClient(() => host);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  host = await startIdentityHost({ file: join(folder, "sign-up.db") });
});

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

describe("sign-up", () => {
  it("with e-mail and password is answered 202, confirmed by the 6-digit code 200, and then signs in [S5-sign-up] [D10-sign-up] [D10-confirm] [D10-code-log]", async () => {
    const email = newEmail();
    expect(await post("sign-up", { email, password: PASSWORD })).toMatchObject({ status: 202, body: {} });
    expect(host.code(email)).toMatch(/^\d{6}$/);
    expect((await signIn(email)).body).toMatchObject({ error: "invalid_grant" });
    expect(await post("confirm", { email, code: host.code(email) })).toMatchObject({ status: 200, body: {} });
    expect((await signIn(email)).status).toBe(200);
  });

  it("takes an address in any case and spacing as the same one", async () => {
    const email = await newAccount();
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(200);
  });

  it("a second time before the confirmation: the latest password and code win", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: "the first one" });
    const first = host.code(email);
    await post("sign-up", { email, password: "the second one" });
    if (first !== host.code(email)) expect((await post("confirm", { email, code: first })).status).toBe(400);
    expect((await post("confirm", { email, code: host.code(email) })).status).toBe(200);
    expect((await signIn(email, "the first one")).status).toBe(400);
    expect((await signIn(email, "the second one")).status).toBe(200);
  });

  it("never touches a confirmed account", async () => {
    const email = await newAccount();
    const code = host.code(email);
    expect(await post("sign-up", { email, password: "someone else's" })).toMatchObject({
      status: 202,
      body: {},
    });
    expect(host.code(email)).toBe(code);
    expect((await post("confirm", { email, code })).status).toBe(400);
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
  ])("with %s is 400 VALIDATION_ERROR and says why", async (_what, body, reason) => {
    const { status, body: envelope } = await post("sign-up", body);
    expect(envelope).toMatchObject({ code: "VALIDATION_ERROR", message: expect.any(String) });
    expect(envelope.errors).toContainEqual(expect.objectContaining(reason));
    expect(status).toBe(400);
  });

  it("in another content type, and any other method or path, is refused", async () => {
    const url = `${host.origin}/identity/sign-up`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect((await answer(await fetch(url))).body.code).toBe("NOT_FOUND");
    expect((await post("nothing", {})).body.code).toBe("NOT_FOUND");
    expect((await post("__proto__", {})).body.code).toBe("NOT_FOUND");
  });

  it("takes passwords of 1,024 characters, and any Unicode, however it is composed", async () => {
    const email = newEmail();
    const password = "é".normalize("NFD").padEnd(1024, "ü\u0000日");
    await post("sign-up", { email, password });
    await post("confirm", { email, code: host.code(email) });
    expect((await signIn(email, password.normalize("NFC"))).status).toBe(200);
  });
});

describe("nothing tells whether an address has an account:", () => {
  it("sign-up, resend, confirmation and sign-in answer alike for known and unknown addresses [D10-no-tells] [D10-resend]", async () => {
    const known = await newAccount();
    const unknown = newEmail();
    const shape = ({ status, body, headers }: Answer) => ({
      status,
      body,
      type: headers.get("content-type"),
    });
    for (const ask of [
      (email: string) => post("sign-up", { email, password: PASSWORD }),
      (email: string) => post("resend", { email }),
      (email: string) => post("confirm", { email, code: "000000" }),
      (email: string) => signIn(email, "wrong password"),
    ]) {
      expect(shape(await ask(known))).toEqual(shape(await ask(unknown)));
    }
  });

  it("a sign-in takes as long for an unknown address as for a wrong password [D10-no-tells]", async () => {
    const slow = await startIdentityHost({ file: join(folder, "slow.db"), tuning: { scryptLog2N: 15 } });
    const known = await newAccount(slow);
    const time = async (email: string) => {
      const start = performance.now();
      for (let i = 0; i < 4; i++) await signIn(email, "wrong password", slow);
      return performance.now() - start;
    };
    const [wrong, unknown] = [await time(known), await time(newEmail())];
    await slow.close();
    // Without the hash of a decoy it would be some hundred times as quick.
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

  it("expires after 10 minutes, and can be sent again [D10-code-age] [D10-resend]", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    clock += 10 * 60_000;
    expect((await post("confirm", { email, code }, own)).body).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ instancePath: "/code" }],
    });
    expect(await post("resend", { email }, own)).toMatchObject({ status: 202, body: {} });
    expect((await post("confirm", { email, code: own.code(email) }, own)).status).toBe(200);
  });

  it("expires after 5 wrong tries, even when they come at once [D10-code-tries]", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    await Promise.all(Array.from({ length: 5 }, () => post("confirm", { email, code: wrong(code) }, own)));
    expect((await post("confirm", { email, code }, own)).status).toBe(400);
  });

  it("still works after 4 wrong tries", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    for (let i = 0; i < 4; i++) await post("confirm", { email, code: wrong(own.code(email)) }, own);
    expect((await post("confirm", { email, code: own.code(email) }, own)).status).toBe(200);
  });

  it("is sent again every 30 s at most, and 5 times an hour, silently", async () => {
    const email = newEmail();
    const sent = () =>
      own.log.filter((line) => line.msg === "confirmation code" && line.email === email).length;
    await post("sign-up", { email, password: PASSWORD }, own);
    expect(await post("resend", { email }, own)).toMatchObject({ status: 202, body: {} });
    expect(sent()).toBe(1);
    for (let i = 0; i < 10; i++) {
      clock += 30_000;
      expect((await post("resend", { email }, own)).status).toBe(202);
    }
    expect(sent()).toBe(5);
    clock += 60 * 60_000;
    await post("resend", { email }, own);
    expect(sent()).toBe(6);
  });

  it.each(["12345", "1234567", "abcdef", "１２３４５６"])("that is no 6 digits (%s) is 400", async (code) => {
    expect((await post("confirm", { email: "a@b.c", code }, own)).body).toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });
});

describe("mail through --smtp-url", () => {
  let smtp: SmtpServer;
  let own: IdentityHost;

  beforeEach(async () => {
    smtp = await startSmtpServer();
    own = await startIdentityHost({
      file: join(folder, `mail-${newEmail()}.db`),
      settings: { smtpUrl: `${smtp.url}?from=wireroom@example.org` },
    });
  });
  afterEach(async () => {
    await own.close();
    await smtp.close();
  });

  it("carries the code, which then is in no log [D10-code-mail]", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const mail = await smtp.next(email);
    expect(mail.from).toBe("wireroom@example.org");
    expect((await post("confirm", { email, code: codeIn(mail) }, own)).status).toBe(200);
    expect(JSON.stringify(own.log)).not.toContain(codeIn(mail));
  });

  it("tells the owner of an account, and nobody else, when someone signs up with its address", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    await post("confirm", { email, code: codeIn(await smtp.next(email)) }, own);
    await post("sign-up", { email, password: "another password" }, own);
    const mail = await smtp.next(email);
    expect(mail.text).toContain("You already have an account");
    // The headers hold ids, in which six digits may follow each other by chance.
    const body = mail.text.slice(mail.text.indexOf("\n\n"));
    expect(body).toContain("You already have an account");
    expect(body).not.toMatch(/\b\d{6}\b/);
  });

  it.each(["refuse", "hang"] as const)(
    "that does not work (%s) neither fails nor delays the sign-up",
    async (how) => {
      smtp.behave(how);
      const email = newEmail();
      const start = performance.now();
      expect((await post("sign-up", { email, password: PASSWORD }, own)).status).toBe(202);
      expect(performance.now() - start).toBeLessThan(5_000);
      if (how === "hang") return;
      await expect.poll(() => own.log.find((line) => line.msg === "a mail could not be sent")).toBeTruthy();
      expect(JSON.stringify(own.log)).not.toContain(email);
    },
  );
});
