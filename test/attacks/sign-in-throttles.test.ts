/** Guesses of passwords, user codes and PKCE verifiers, and floods of requests without a credential. */
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Browser } from "../harness/browser.js";
import {
  DEVICE_GRANT,
  identityClient,
  newEmail,
  PASSWORD,
  PASSWORD_GRANT,
} from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { startIdentityHost } from "../harness/identity-host.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

let clock = Date.now();
const host = await identityFixture({ now: () => clock });
const folder = new TemporaryFolder("wireroom-throttles-");

let sources = 0;
/** Returns an address in a network that sent nothing before. */
const newSource = () => `198.${18 + (++sources >> 8)}.${sources & 255}.1`;
const client = (source = newSource()) => identityClient(() => host, source);
const newAccount = () => client().newAccount();

/** Enters wrong passwords for an address from as many sources as needed. */
async function guess(email: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 10) {
    const attacker = client();
    await Promise.all(
      Array.from({ length: Math.min(10, count - done) }, () => attacker.signIn(email, "wrong one")),
    );
  }
}

describe("wrong passwords", () => {
  // [D10-source-throttle]
  it("from one source end in 429 for that source alone, whatever the address", async () => {
    const [owner, other] = [await newAccount(), await newAccount()];
    const attacker = client();
    const guesses = await Promise.all(Array.from({ length: 15 }, () => attacker.signIn(owner, "wrong one")));
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    for (const email of [owner, other, newEmail(), "no address"]) {
      const refused = await attacker.signIn(email);
      expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    }
    expect((await client().signIn(owner)).status).toBe(200);
    clock += 15 * 60_000 + 1;
    expect((await attacker.signIn(owner)).status).toBe(200);
  });

  // [D10-source-throttle]
  it("are not forgiven by a sign-in to another account", async () => {
    const [owner, own] = [await newAccount(), await newAccount()];
    const attacker = client();
    for (let i = 0; i < 9; i++) await attacker.signIn(owner, "wrong one");
    expect((await attacker.signIn(own)).status).toBe(200);
    expect((await attacker.signIn(owner, "wrong one")).status).toBe(400);
    expect((await attacker.signIn(owner, "wrong one")).status).toBe(429);
  });

  it("are forgiven by a sign-in to the same account", async () => {
    const own = await newAccount();
    const human = client();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 6; i++) await human.signIn(own, "wrong one");
      expect((await human.signIn(own)).status).toBe(200);
    }
  });

  // [D10-account-throttle]
  it("of 100 from all sources also need a mailed code of the last minutes, with which the owner gets in", async () => {
    const owner = await newAccount();
    clock += 60 * 60_000;
    await guess(owner, 99);
    expect((await client().signIn(owner, "wrong one")).body.error).toBe("invalid_grant");
    const human = client();
    const withCode = (code: string, password = PASSWORD, source = human) =>
      source.token({ grant_type: PASSWORD_GRANT, username: owner, password, code });
    for (const password of [PASSWORD, "wrong one"])
      expect(await client().signIn(owner, password)).toMatchObject({
        status: 400,
        body: { error: "code_required" },
      });
    const code = host.code(owner);
    expect(code).toMatch(/^\d{6}$/);
    const other = code === "000000" ? "000001" : "000000";
    // The answer does not tell which of the two was wrong.
    const wrong = [
      await withCode(other),
      await withCode(code, "wrong one"),
      await withCode(other, "wrong one"),
    ];
    for (const { status, body } of wrong) expect([status, body]).toEqual([400, wrong[0]!.body]);
    expect(wrong[0]!.body.error).toBe("invalid_grant");
    // Further wrong tries of strangers do not void the owner's code.
    const stranger = client();
    for (let i = 0; i < 11; i++) await withCode(other, "wrong one", stranger);
    expect((await withCode(code, PASSWORD, stranger)).status).toBe(429);
    // The sign-in page takes it, too.
    const browser = newBrowser(newSource());
    const entry = await browser.get(authorization().url);
    expect(entry.text).not.toContain('name="code"');
    const fields = { email: owner, password: PASSWORD, action: "sign-in" };
    const page = await browser.submit(entry, fields);
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('name="code"') });
    clock += 15 * 60_000;
    expect((await withCode(code)).body.error).toBe("invalid_grant");
    clock -= 5 * 60_000;
    const back = await browser.submit(page, { ...fields, code: ` ${code} ` });
    expect(new URL(back.url).searchParams.get("code")).toBeTruthy();
    expect((await client().signIn(owner)).status).toBe(200);
  });

  // [D10-long-code]
  it("with 20 wrong codes need a code of 128 bits, with which the owner gets in", async () => {
    const owner = await newAccount();
    clock += 60 * 60_000;
    await guess(owner, 100);
    const withCode = (code: string, password = PASSWORD) =>
      client().token({ grant_type: PASSWORD_GRANT, username: owner, password, code });
    await client().signIn(owner);
    const short = host.code(owner);
    for (let n = 0; n < 20; n++)
      expect((await withCode(short === "000000" ? "000001" : "000000")).body.error).toBe("invalid_grant");
    expect((await withCode(short)).body.error).toBe("invalid_grant");
    expect((await client().signIn(owner)).body.error).toBe("code_required");
    const long = host.code(owner);
    expect(long).toMatch(/^\d{39}$/);
    expect((await withCode(long, "wrong one")).body.error).toBe("invalid_grant");
    expect((await withCode(long)).status).toBe(200);
  });

  // [D10-no-tells]
  it("for an address without an account get the same answers, and no code is sent", async () => {
    const email = newEmail();
    await guess(email, 100);
    expect(await client().signIn(email)).toMatchObject({ status: 400, body: { error: "code_required" } });
    expect(() => host.code(email)).toThrow("no code");
    expect(
      (
        await client().token({
          grant_type: PASSWORD_GRANT,
          username: email,
          password: PASSWORD,
          code: "123456",
        })
      ).body,
    ).toMatchObject({ error: "invalid_grant", error_description: expect.stringContaining("code") });
  });

  // [D10-account-throttle]
  it("of 100 do not keep the owner from a new password, which ends the need for a code", async () => {
    const owner = await newAccount();
    clock += 60 * 60_000;
    await guess(owner, 100);
    const human = client();
    const change = { email: owner, password: PASSWORD, new_password: "another one" };
    expect(await human.post("password", change)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining("sign in with the mailed code first") }] },
    });
    clock += 60 * 60_000;
    expect((await human.post("forgot", { email: owner })).status).toBe(202);
    const reset = { email: owner, code: host.resetCode(owner), password: "another one" };
    expect((await human.post("reset", reset)).status).toBe(200);
    expect((await human.signIn(owner, "another one")).status).toBe(200);
  });
});

describe("user codes of the device flow", () => {
  const start = async () => (await client().token({}, host, "device/auth")).body;

  // [D10-source-throttle]
  it("cannot be guessed: after 10 wrong ones, the source gets 429 even for a right one", async () => {
    const device = await start();
    const attacker = newSource();
    const browser = newBrowser(attacker);
    const entry = await browser.get(String(device.verification_uri));
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, i) =>
        browser.submit(entry, { user_code: `WRNG-BC${String.fromCharCode(66 + i)}D` }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
    const again = await browser.get(String(device.verification_uri));
    const right = await browser.submit(again, { user_code: String(device.user_code) });
    expect(right).toMatchObject({ status: 429, text: expect.stringContaining("Too many wrong codes") });
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(800);
    expect((await client(attacker).signIn(newEmail())).status).toBe(429);

    const human = newBrowser(newSource());
    const check = await human.submit(await human.get(String(device.verification_uri)), {
      user_code: String(device.user_code),
    });
    expect(check.text).toContain("Check the code");
  });

  it("may be entered any number of times if they are right", async () => {
    const browser = newBrowser(newSource());
    for (let i = 0; i < 12; i++) {
      const device = await start();
      const entry = await browser.get(String(device.verification_uri));
      expect((await browser.submit(entry, { user_code: String(device.user_code) })).text).toContain(
        "Check the code",
      );
    }
  });
});

const REDIRECT = "http://127.0.0.1:53682/callback";
const newBrowser = (source?: string) => new Browser((url) => url.startsWith(REDIRECT), source);

function authorization(origin = host.origin) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: "wireroom-cli",
    response_type: "code",
    scope: "openid email offline_access",
    redirect_uri: REDIRECT,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return { verifier, url: `${origin}/identity/auth?${query}` };
}

/** Signs in with a browser. Returns the fields of the right token request. */
async function authorizationCode(): Promise<Record<string, string>> {
  const email = await newAccount();
  const browser = newBrowser(newSource());
  const { verifier, url } = authorization();
  const back = await browser.submit(await browser.get(url), { email, password: PASSWORD, action: "sign-in" });
  const code = new URL(back.url).searchParams.get("code") ?? "";
  return { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: verifier };
}

describe("an authorization code", () => {
  const { token, refresh } = identityClient(() => host);

  // [D10-code-burned]
  it.each<[string, Record<string, string>]>([
    ["a wrong verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:1/callback" }],
    ["no redirect URI", { redirect_uri: "" }],
    ["another client", { client_id: "someone" }],
  ])("is used up by a request with %s", async (_what, change) => {
    const right = await authorizationCode();
    expect((await token({ ...right, ...change })).status).toBeGreaterThanOrEqual(400);
    expect(await token(right)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  // [D10-code-burned]
  it("serves at most one of many parallel requests", async () => {
    const right = await authorizationCode();
    const wrong = { ...right, code_verifier: "x".repeat(43) };
    const answers = await Promise.all(
      [wrong, wrong, wrong, right, right, right].map((fields) => token(fields)),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  // [D10-code-burned]
  it("that is used again, even with a wrong verifier, revokes what it gave", async () => {
    const right = await authorizationCode();
    const { status, body } = await token(right);
    expect(status).toBe(200);
    expect((await token({ ...right, code_verifier: "x".repeat(43) })).body.error).toBe("invalid_grant");
    expect((await refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    const me = { headers: { authorization: `Bearer ${String(body.access_token)}` } };
    expect((await fetch(`${host.origin}/identity/me`, me)).status).toBe(401);
  });
});

describe("a flood from one source", () => {
  // [D10-fair]
  it("of 100 parallel sign-ups does not delay or refuse the sign-in of another", async () => {
    const owner = await newAccount();
    const attacker = client();
    const flood = Array.from({ length: 100 }, () =>
      attacker.post("sign-up", { email: newEmail(), password: PASSWORD }),
    );
    const signedIn = await client().signIn(owner);
    expect(signedIn.status).toBe(200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });

  // [D10-rows-capped]
  it.each([["auth", "AUTH"], ["device", "device/"], ["device/auth", "Device/Auth"], ["session/end"]])(
    "to /identity/%s stops growing the database, and costs others nothing",
    async (path, otherSpelling = path) => {
      const source = newSource();
      const query = path === "auth" ? new URL(authorization().url).search : "";
      const send = (from: string, spelling = path) =>
        fetch(`${host.origin}/identity/${spelling}${query}`, {
          headers: { "x-forwarded-for": from, accept: "text/html" },
          redirect: "manual",
          ...(path === "device/auth" && {
            method: "POST",
            body: new URLSearchParams({ client_id: "wireroom-cli" }),
          }),
        });
      const before = await host.countRecords();
      const statuses: number[] = [];
      for (let i = 0; i < 150; i++) statuses.push((await send(source)).status);
      expect(statuses.filter((status) => status === 429).length).toBe(30);
      expect((await host.countRecords()) - before).toBeLessThanOrEqual(120);
      expect((await send(source, otherSpelling)).headers.get("retry-after")).toBe("5");
      expect((await send(newSource(), otherSpelling)).status).toBeLessThan(429);
      clock += 5_000;
      expect((await send(source, otherSpelling)).status).toBeLessThan(429);
      expect((await send(source)).status).toBe(429);
    },
  );

  // [D10-rows-capped]
  it("that goes on with a sign-in without signing in is refused", async () => {
    const browser = newBrowser(newSource());
    let page = await browser.get(authorization().url);
    const statuses: number[] = [];
    for (let i = 0; i < 150; i++) {
      page = await browser.get(page.url.replace("/interaction/", "/auth/"));
      statuses.push(page.status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(31);
  });

  // [D10-rows-capped]
  it("that refuses a sign-in again and again is refused", async () => {
    const source = newSource();
    const browser = newBrowser(source);
    const page = await browser.get(authorization().url);
    const form_token = /name="form_token" value="([^"]*)"/.exec(page.text)![1]!;
    const statuses: number[] = [];
    for (let i = 0; i < 150; i++) {
      const response = await browser.request(page.url, {
        method: "POST",
        headers: { "x-forwarded-for": source, accept: "text/html" },
        body: new URLSearchParams({ form_token, action: "refuse" }),
      });
      statuses.push(response.status);
      if (response.status === 429)
        expect(await response.text()).toContain("too many requests from your network");
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(31);
  });

  // [D10-rows-capped]
  it("may be 40 humans who sign in at once", async () => {
    const email = await newAccount();
    const source = newSource();
    for (let i = 0; i < 40; i++) {
      const browser = newBrowser(source);
      const entry = await browser.get(authorization().url);
      const back = await browser.submit(entry, { email, password: PASSWORD, action: "sign-in" });
      expect(back.url).toContain("code=");
    }
  });

  // [D10-rows-capped]
  it("of sign-ups and new codes is refused with RATE_LIMITED", async () => {
    const attacker = client();
    const email = newEmail();
    const answers = [];
    for (let i = 0; i < 130; i++) answers.push(await attacker.post("resend", { email }));
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED", retry_after: 5 } });
  });

  // [D10-source-throttle]
  it("from one /64 network of IPv6 counts as one source", async () => {
    const owner = await newAccount();
    for (let i = 0; i < 10; i++) await client(`2001:db8:0:7::${i}`).signIn(owner, "wrong one");
    expect((await client("2001:db8:0:7:ffff::1").signIn(owner)).status).toBe(429);
    expect((await client("2001:db8:0:8::1").signIn(owner)).status).toBe(200);
  });
});

describe("a flood from many sources", () => {
  /** Sources of one /48, in two of its /56. */
  const neighbours = Array.from({ length: 400 }, (_, n) => `2001:db8:9:${(0x1000 + n).toString(16)}::1`);
  const spread = Array.from({ length: 320 }, (_, n) => `2001:db8:${(0x1000 + n).toString(16)}::1`);

  // [D10-fair]
  it.each([
    ["one network", neighbours],
    ["as many networks", spread],
  ])("of %s that wait for a hash keeps no owner waiting", async (what, sources) => {
    const slow = await startIdentityHost({
      file: join(folder.path, `${what}.db`),
      tuning: { scryptLog2N: 14 },
    });
    const at = (source: string) => identityClient(() => slow, source);
    const owner = await at("198.51.100.1").newAccount();
    const own = sources[1]!;
    const { body: session } = await at(own).signIn(owner);
    let browserSource = "198.51.100.2";
    const browser = new Browser(
      (url) => url.startsWith(REDIRECT),
      () => browserSource,
    );
    const url = authorization(slow.origin).url;
    const fields = { email: owner, password: PASSWORD, action: "sign-in" };
    await browser.submit(await browser.get(url), fields);

    let done = 0;
    let refused = 0;
    const flood = sources.map((source) =>
      at(source)
        .post("sign-up", { email: newEmail(), password: PASSWORD })
        .then(({ status }) => (status === 429 ? refused++ : done++)),
    );
    try {
      // The queue is full once it refuses.
      await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(0);
      const before = done;
      // A stranger to the network of the flood.
      if (sources === neighbours)
        expect(
          (await at("203.0.113.1").post("sign-up", { email: newEmail(), password: PASSWORD })).status,
        ).toBe(202);
      // The right password came from there before.
      expect((await at(own).signIn(owner)).status).toBe(200);
      // Signed in, on other networks.
      browserSource = "203.0.113.2";
      const back = await browser.submit(await browser.get(`${url}&prompt=login`), fields);
      expect(new URL(back.url).searchParams.get("code")).toBeTruthy();
      const change = { email: owner, password: PASSWORD, new_password: "another one 12" };
      const headers = { authorization: `Bearer ${session.id_token}` };
      const changed = await at("203.0.113.3").post("password", change, slow, headers);
      expect(changed.status).toBe(200);
      expect(done - before).toBeLessThan(100);
    } finally {
      await Promise.allSettled(flood);
      await slow.close();
    }
  });

  // [D10-fair] [D10-rows-capped]
  it("of costly requests is refused, but strangers and owners are not", async () => {
    const email = await client(neighbours[0]).newAccount();
    expect((await client(neighbours[0]).signIn(email)).status).toBe(200);
    const send = (source: string) => client(source).post("resend", { email: newEmail() });
    const statuses: number[] = [];
    for (const source of neighbours) for (let i = 0; i < 4; i++) statuses.push((await send(source)).status);
    const passed = statuses.filter((status) => status !== 429).length;
    expect(passed).toBeGreaterThan(300);
    expect(passed).toBeLessThan(1_400);
    expect((await send(neighbours[7]!)).status).toBe(429);
    expect((await send(newSource())).status).toBe(400);
    expect((await client(neighbours[0]).signIn(email)).status).toBe(200);
    clock += 10 * 60_000;
    expect((await send(neighbours[7]!)).status).toBe(400);
  });
});

describe("an authorization request", () => {
  const send = (fields: Record<string, string>) =>
    fetch(`${authorization().url}&${new URLSearchParams(fields)}`, {
      headers: { "x-forwarded-for": newSource(), accept: "text/html" },
      redirect: "manual",
    });

  // [D10-rows-small]
  it.each(["state", "nonce"])("with a %s of more than 1,024 characters stores nothing", async (name) => {
    const before = await host.countRecords();
    const refused = await send({ [name]: "x".repeat(1_025) });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("must have at most 1024 characters");
    expect(await host.countRecords()).toBe(before);
    expect((await send({ [name]: "x".repeat(1_024) })).status).toBe(303);
  });

  // [D10-rows-small]
  it("with other long parameters stores none of them", async () => {
    const before = (await host.dump()).length;
    const refused = await send({ login_hint: "x".repeat(9_000) });
    expect(refused.headers.get("location")).toContain("error=invalid_request");
    expect((await host.dump()).length - before).toBeLessThan(1_500);
  });
});

describe("device codes", () => {
  // [D10-device]
  it("give no tokens before a human has confirmed the code that the page shows (RFC 8628, section 5.4)", async () => {
    const email = await newAccount();
    const victim = newBrowser(newSource());
    await victim.submit(await victim.get(authorization().url), {
      email,
      password: PASSWORD,
      action: "sign-in",
    });
    const device = (await client().token({ scope: "openid email" }, host, "device/auth")).body;
    const poll = () => client().token({ grant_type: DEVICE_GRANT, device_code: String(device.device_code) });
    // The victim has a session and opens the link of a phishing mail.
    const handover = await victim.get(String(device.verification_uri_complete));
    const check = await victim.submit(handover, {});
    expect(check.text).toContain(String(device.user_code));
    expect(check.text).toContain("Cancel if your terminal shows another code");
    expect((await poll()).body.error).toBe("authorization_pending");
    const confirm = await victim.submit(check, {});
    expect(confirm.text).toContain(`Continue as ${email}`);
    expect((await poll()).body.error).toBe("authorization_pending");
  });
});
