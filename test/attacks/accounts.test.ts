/** Attacks on sign-up and on passwords of the embedded identity provider. */
import { beforeAll, describe, expect, it } from "vitest";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";

const MINUTE = 60_000;
const OWNERS = "the owner's password";
const STRANGERS = "the stranger's password";

let clock = Date.now();
const host = await identityFixture({ now: () => clock });
const { newAccount, post, postFrom, refresh, signIn } = identityClient(() => host);

/** Addresses of clients, which the host reads from X-Forwarded-For. */
const OWNER = "192.0.2.1";
const STRANGER = "198.51.100.1";
const fromStranger = (path: string, body: object) => postFrom(STRANGER, path, body);
const fromOwner = (path: string, body: object) => postFrom(OWNER, path, body);

/** Returns the codes in the log for an address, oldest first. */
const codes = (email: string, msg = "confirmation code") =>
  host.log.filter((line) => line.email === email && line.msg === msg).map((line) => String(line.code));
const wrongCode = (code: string) => (code === "000000" ? "000001" : "000000");

describe("pre-hijacking: a stranger signs up the owner's address", () => {
  const signUps = {
    owner: (email: string) => fromOwner("sign-up", { email, password: OWNERS }),
    stranger: (email: string) => fromStranger("sign-up", { email, password: STRANGERS }),
  };

  // [D10-own-code]
  it.each([
    ["before", ["stranger", "owner"]],
    ["after", ["owner", "stranger"]],
    ["before and after", ["stranger", "owner", "stranger"]],
    ["between two tries of the owner", ["owner", "stranger", "owner"]],
  ] as const)("%s the owner: no code that reaches the owner lets the stranger in", async (_when, order) => {
    const email = newEmail();
    for (const who of order) await signUps[who](email);
    // The owner tries every code of the mailbox with the password that the owner has chosen.
    const results = [];
    for (const code of codes(email))
      results.push((await fromOwner("confirm", { email, code, password: OWNERS })).status);
    expect(results).toContain(200);
    expect((await signIn(email, OWNERS)).status).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(400);
  });

  // [D10-ends-others]
  it("ends when the owner confirms: even a code that the stranger has seen is useless then", async () => {
    const email = newEmail();
    await signUps.stranger(email);
    const [seen] = codes(email);
    await signUps.owner(email);
    expect((await fromOwner("confirm", { email, code: codes(email)[1], password: OWNERS })).status).toBe(200);
    expect((await fromStranger("confirm", { email, code: seen, password: STRANGERS })).status).toBe(400);
    expect((await signIn(email, STRANGERS)).status).toBe(400);
  });

  // [D10-mail-fair]
  it("and floods it: the owner's mail is sent at once, the stranger's codes wait", async () => {
    const email = newEmail();
    for (let i = 0; i < 25; i++) await fromStranger("sign-up", { email, password: `${STRANGERS} ${i}` });
    expect(codes(email)).toHaveLength(1);
    await signUps.owner(email);
    expect(codes(email)).toHaveLength(2);
    expect((await fromOwner("confirm", { email, code: codes(email)[1], password: OWNERS })).status).toBe(200);
  });

  // [D10-mail-hourly] [D10-mail-fair]
  it("from many addresses: at most 20 mails an hour, and the next one is the owner's", async () => {
    const email = newEmail();
    const flood = (n: number) =>
      postFrom(`203.0.${n}.1`, "sign-up", { email, password: `${STRANGERS} ${n}` });
    for (let n = 0; n < 20; n++) {
      await flood(n);
      clock += MINUTE;
    }
    for (let n = 1; n < 20; n++) await flood(n);
    await signUps.owner(email);
    await host.searchMails();
    expect(codes(email)).toHaveLength(20);
    clock += 40 * MINUTE;
    await expect.poll(() => codes(email).length).toBe(21);
    const code = codes(email)[20];
    expect((await fromOwner("confirm", { email, code, password: OWNERS })).status).toBe(200);
  });

  // [D10-mail-fair]
  it("from many addresses, again and again: the owner, who asked before, comes first in the next hour", async () => {
    const email = newEmail();
    const flood = (n: number) =>
      postFrom(`192.0.${n}.1`, "sign-up", { email, password: `${STRANGERS} ${n}` });
    const owner = () => postFrom("203.0.113.200", "sign-up", { email, password: OWNERS });
    for (let n = 0; n < 20; n++) {
      await flood(n);
      clock += MINUTE;
    }
    clock += 10 * MINUTE;
    await owner();
    for (let n = 0; n < 20; n++) {
      clock += MINUTE;
      await flood(n);
    }
    // An owner who asks again keeps the place.
    await owner();
    await host.searchMails();
    expect(codes(email)).toHaveLength(20);
    clock += 10 * MINUTE;
    await expect.poll(() => codes(email).length).toBe(21);
    const code = codes(email)[20];
    expect((await fromOwner("confirm", { email, code, password: OWNERS })).status).toBe(200);
  });

  // [D10-mail-fair]
  it("from many addresses, each with many sign-ups that wait: the sources take turns", async () => {
    const email = newEmail();
    const flood = (n: number, i: number) =>
      postFrom(`192.0.${n}.1`, "sign-up", { email, password: `${STRANGERS} ${n} ${i}` });
    for (let n = 0; n < 20; n++) for (let i = 0; i < 3; i++) await flood(n, i);
    clock += MINUTE;
    await postFrom("203.0.113.200", "sign-up", { email, password: OWNERS });
    await host.searchMails();
    expect(codes(email)).toHaveLength(20);
    // The strangers asked before. Then it is the owner's turn.
    clock += 59 * MINUTE;
    await expect.poll(() => codes(email).length).toBe(40);
    clock += 60 * MINUTE;
    await expect.poll(() => codes(email).length).toBe(60);
    const code = codes(email)[40];
    expect((await fromOwner("confirm", { email, code, password: OWNERS })).status).toBe(200);
  });

  // [D10-mail-fair]
  it("from one /48 of IPv6: the owner's mail is sent at once, and its networks take turns", async () => {
    const email = newEmail();
    const flood = (n: number) =>
      postFrom(`2001:db8:1:${(0x1000 + n).toString(16)}::1`, "sign-up", {
        email,
        password: `${STRANGERS} ${n}`,
      });
    for (let n = 0; n < 60; n++) await flood(n);
    // A neighbour in another /56, who asked last.
    await postFrom("2001:db8:1:2000::1", "sign-up", { email, password: `${STRANGERS} of a neighbour` });
    expect(codes(email)).toHaveLength(7);
    await signUps.owner(email);
    expect(codes(email)).toHaveLength(8);
    clock += 60 * MINUTE;
    await expect.poll(() => codes(email).length).toBe(15);
    // After one mail to the other /56.
    const neighbour = codes(email)[9];
    const confirmed = await postFrom("2001:db8:1:2000::1", "confirm", {
      ...{ email, code: neighbour, password: `${STRANGERS} of a neighbour` },
    });
    expect(confirmed.status).toBe(200);
  });

  // [D10-code-tries]
  it("and guesses: wrong codes for one sign-up do not use up the tries of another", async () => {
    const email = newEmail();
    await signUps.owner(email);
    const [code] = codes(email);
    for (let i = 0; i < 8; i++)
      await fromStranger("confirm", { email, code: wrongCode(code!), password: STRANGERS });
    expect((await fromOwner("confirm", { email, code, password: OWNERS })).status).toBe(200);
  });
});

describe("a sign-up", () => {
  // [D10-long-code]
  it("that was guessed 20 times in a day is confirmed with a code of 128 bits alone", async () => {
    const email = newEmail();
    await fromOwner("sign-up", { email, password: OWNERS });
    const confirm = (source: string, code: string) =>
      postFrom(source, "confirm", { email, code, password: OWNERS });
    const short = codes(email)[0]!;
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++)
        expect((await confirm(`203.5.${round}.1`, wrongCode(short))).status).toBe(400);
    }
    expect((await confirm("203.5.9.1", short)).status).toBe(429);
    clock += 60 * MINUTE;
    await fromOwner("resend", { email, password: OWNERS });
    const long = codes(email).at(-1)!;
    expect(long).toMatch(/^\d{39}$/);
    expect((await fromOwner("confirm", { email, code: long, password: OWNERS })).status).toBe(200);
  });
});

describe("a forgotten password", () => {
  // [D10-forgot] [D10-reset] [D10-reset-ends] [D10-reset-mail]
  it("is replaced with a mailed code; all sessions end, and a mail says so", async () => {
    const email = await newAccount();
    const { body: tokens } = await signIn(email);
    expect(await fromOwner("forgot", { email })).toMatchObject({ status: 202, body: {} });
    const code = host.resetCode(email);
    expect(await fromOwner("reset", { email, code, password: OWNERS })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await signIn(email)).status).toBe(400);
    const { body: next } = await signIn(email, OWNERS);
    expect((await refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await refresh(next.refresh_token)).status).toBe(200);
    expect(host.log.filter((line) => line.msg === "password changed" && line.email === email)).toHaveLength(
      1,
    );
    expect((await fromOwner("reset", { email, code, password: STRANGERS })).status).toBe(400);
  });

  // [D10-reset-ends]
  it("is replaced again after the first change, and each change ends the sign-ins before it", async () => {
    const email = await newAccount();
    let password = PASSWORD;
    for (const next of [OWNERS, STRANGERS, PASSWORD]) {
      const { body: tokens } = await signIn(email, password);
      await fromOwner("forgot", { email });
      clock += 60 * MINUTE;
      await host.searchMails();
      await fromOwner("forgot", { email });
      const code = host.resetCode(email);
      expect((await fromOwner("reset", { email, code, password: next })).status).toBe(200);
      expect((await refresh(tokens.refresh_token)).status).toBe(400);
      password = next;
    }
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  // [D10-code-tries] [D10-code-source]
  it("cannot be guessed: 5 tries a code, and 10 a source in 15 minutes", async () => {
    const email = await newAccount();
    await fromStranger("forgot", { email });
    const code = host.resetCode(email);
    clock += 15 * MINUTE;
    await fromStranger("forgot", { email });
    const next = host.resetCode(email);
    expect(next).not.toBe(code);
    const guess = () => fromStranger("reset", { email, code: wrongCode(next), password: STRANGERS });
    const guesses = await Promise.all(Array.from({ length: 5 }, guess));
    expect(guesses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await fromStranger("reset", { email, code: next, password: STRANGERS })).status).toBe(400);
    for (let i = 0; i < 4; i++) await guess();
    const refused = await guess();
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.body.retry_after)).toBeGreaterThan(800);
    clock += 15 * MINUTE;
    expect((await guess()).status).toBe(400);
  });

  // [D10-code-source]
  it.each(["reset", "confirm"])(
    "cannot be guessed by parallel requests to /identity/%s either",
    async (path) => {
      const source = path === "reset" ? "203.0.113.200" : "203.0.113.201";
      const guess = () => postFrom(source, path, { email: newEmail(), code: "123456", password: STRANGERS });
      const statuses = (await Promise.all(Array.from({ length: 30 }, guess))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 400)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    },
  );

  // [D10-code-tries] [D10-mail-fair]
  it("cannot be blocked by strangers who try codes or request their own", async () => {
    const email = await newAccount();
    await fromOwner("forgot", { email });
    const code = host.resetCode(email);
    for (let n = 0; n < 12; n++) {
      const stranger = `203.0.113.${n}`;
      if (n % 2 === 0) await postFrom(stranger, "forgot", { email });
      await postFrom(stranger, "reset", { email, code: wrongCode(code), password: STRANGERS });
    }
    expect((await fromOwner("reset", { email, code, password: OWNERS })).status).toBe(200);
  });

  // [D10-long-code]
  it("that was guessed 20 times in a day is replaced with a code of 128 bits alone", async () => {
    const email = await newAccount();
    await fromOwner("forgot", { email });
    const short = host.resetCode(email);
    const reset = (source: string, code: string, password = OWNERS) =>
      postFrom(source, "reset", { email, code, password });
    for (let n = 0; n < 20; n++)
      expect((await reset(`203.1.${n}.1`, wrongCode(short), STRANGERS)).status).toBe(400);
    // Not even the right one, because each mail would give 10 more tries.
    const refused = await reset("198.51.100.99", short);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED", message: expect.stringContaining("request a new code, which is longer") },
    });
    expect(Number(refused.body.retry_after)).toBeGreaterThan(80_000);
    clock += 60 * MINUTE;
    await fromOwner("forgot", { email });
    const long = host.resetCode(email);
    expect(long).toMatch(/^\d{39}$/);
    for (let n = 0; n < 9; n++)
      expect((await reset("203.2.1.1", "1".repeat(39), STRANGERS)).status).toBe(400);
    expect(
      await postFrom("203.2.2.1", "reset", { email, code: "1".repeat(38), password: OWNERS }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ message: "must be 6 or 39 digits" }] },
    });
    clock += 60 * MINUTE;
    await fromOwner("forgot", { email });
    expect(
      (await fromOwner("reset", { email, code: ` ${host.resetCode(email)} `, password: OWNERS })).status,
    ).toBe(200);
    clock += 24 * 60 * MINUTE;
    await fromOwner("forgot", { email });
    expect(host.resetCode(email)).toMatch(/^\d{6}$/);
  });

  // [D10-long-code] [D10-no-tells]
  it("of an address without an account is guessed with the same answers", async () => {
    const email = newEmail();
    const guess = (n: number) =>
      postFrom(`203.3.${n}.1`, "reset", { email, code: "123456", password: STRANGERS });
    for (let n = 0; n < 20; n++) expect((await guess(n)).status).toBe(400);
    expect(await guess(20)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  });

  // [D10-stray-mails]
  it("of 300 addresses without an account sends a few mails", async () => {
    const mails = () => host.log.filter(({ msg }) => String(msg).includes("has no account")).length;
    const before = mails();
    const forgot = (source: string) => postFrom(source, "forgot", { email: newEmail() });
    for (let n = 0; n < 300; n++) expect((await forgot(`2001:db8:2:${n.toString(16)}::1`)).status).toBe(202);
    await host.searchMails();
    expect(mails() - before).toBeGreaterThan(10);
    expect(mails() - before).toBeLessThanOrEqual(67);
    await forgot("203.4.1.1");
    await expect.poll(mails).toBeGreaterThan(before + 11);
  });

  it("is replaced from another network too, if strangers have not used up its tries", async () => {
    const email = await newAccount();
    await fromOwner("forgot", { email });
    const code = host.resetCode(email);
    expect((await postFrom("192.0.2.77", "reset", { email, code, password: OWNERS })).status).toBe(200);
  });

  // [D10-mail-spacing] [D10-mail-hourly]
  it("floods no mailbox: one mail at once, 20 an hour from all sources together", async () => {
    const email = await newAccount();
    const sent = () => codes(email, "password reset code").length;
    await Promise.all(Array.from({ length: 30 }, () => fromStranger("forgot", { email })));
    expect(sent()).toBe(1);
    for (let n = 0; n < 40; n++) await postFrom(`203.0.${n}.1`, "forgot", { email });
    expect(sent()).toBe(20);
  });

  // [D10-reset-ends]
  it("ends a sign-in that began with the old password in the meantime", async () => {
    const email = await newAccount();
    await fromOwner("forgot", { email });
    const code = host.resetCode(email);
    const [reset, ...raced] = await Promise.all([
      fromOwner("reset", { email, code, password: OWNERS }),
      ...Array.from({ length: 8 }, () => signIn(email)),
    ]);
    expect(reset!.status).toBe(200);
    for (const { body } of raced.filter(({ status }) => status === 200))
      expect((await refresh(body.refresh_token)).status).toBe(400);
  });
});

describe("a changed password", () => {
  beforeAll(() => {
    // ID tokens are issued with the clock of the machine.
    clock = Date.now();
  });

  const change = (email: string, idToken?: unknown, password = PASSWORD, newPassword = OWNERS) =>
    post(
      "password",
      { email, password, new_password: newPassword },
      host,
      idToken === undefined ? {} : { authorization: `Bearer ${String(idToken)}` },
    );

  // [D10-change] [D10-reset-ends]
  it("keeps the sign-in of the ID token and ends all others", async () => {
    const email = await newAccount();
    const [own, other] = [(await signIn(email)).body, (await signIn(email)).body];
    expect(await change(email, own.id_token)).toMatchObject({ status: 200, body: {} });
    expect((await refresh(other.refresh_token)).status).toBe(400);
    const { status, body } = await refresh(own.refresh_token);
    expect(status).toBe(200);
    expect((await signIn(email)).status).toBe(400);
    expect((await change(email, body.id_token, OWNERS, PASSWORD)).status).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expect(codes(email, "password changed")).toHaveLength(2);
  });

  // [D10-change]
  it("without an ID token ends all sign-ins; a wrong password or a foreign ID token changes nothing", async () => {
    const [email, other] = [await newAccount(), await newAccount()];
    const { body: tokens } = await signIn(email);
    const { body: foreign } = await signIn(other);
    expect((await change(email, undefined, "a wrong password")).body).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ instancePath: "/password" }],
    });
    expect((await change(email, foreign.id_token)).body.code).toBe("FORBIDDEN");
    expect((await change(email, tokens.access_token)).body.code).toBe("FORBIDDEN");
    expect((await change(email, undefined, PASSWORD, "short")).body).toMatchObject({
      errors: [{ instancePath: "/new_password", keyword: "minLength" }],
    });
    expect((await signIn(email)).status).toBe(200);
    expect((await change(email)).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect((await refresh(foreign.refresh_token)).status).toBe(200);
  });
});
