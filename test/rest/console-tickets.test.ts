/** Tickets with which `wireroom console` opens the console signed in. The page is driven in test/console. */
import { setTimeout as sleep } from "node:timers/promises";
import { decodeJwt } from "jose";
import { expect, it, onTestFinished } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import { SettableClock } from "../harness/clock-skew.js";
import { type DaemonOptions, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { ENGINE } from "../harness/database.js";
import { newSource, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

interface Redemption {
  at?: TestDaemon;
  origin?: string;
  source?: string;
  email?: string;
}

/** The address of the command and of the browser, unless a test names another. */
const SOURCE = newSource();

const post = async (
  path: string,
  headers: Record<string, string>,
  body?: object,
  { origin }: Pick<TestDaemon, "origin"> = daemon,
) => {
  const response = await fetch(`${origin}/identity/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": SOURCE, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
};

const issue = async (idToken: string, from = daemon) => {
  const answer = await post("console-ticket", { authorization: `Bearer ${idToken}` }, undefined, from);
  expect(answer).toMatchObject({ status: 200, body: { expires_in: 60 } });
  const [, url, ticket] = /^(.*)#ticket=(\w+)$/.exec(answer.body.url)!;
  expect(url).toBe(`${from.origin}/console`);
  return ticket!;
};

const redeem = (
  ticket: unknown,
  { at = daemon, origin = at.origin, source = SOURCE, ...body }: Redemption = {},
) => post("console-session", { origin, "x-forwarded-for": source }, { ticket, ...body }, at);

const refusal = { status: 403, body: { code: "FORBIDDEN" } };

async function signIn(to = daemon) {
  const human = await OAuthHuman.signUp(to);
  const idToken = await human.idToken();
  return { human, idToken, owner: to.client(idToken) };
}

const outcomes = async (owner: ReturnType<typeof daemon.client>) => {
  const { entries } = await expectOk(owner.get("/audit?action=ticket.issued"));
  return entries.map(({ actor, outcome }: { actor: string; outcome: string }) => `${actor} ${outcome}`);
};

// [D20-ticket] [D20-ticket-once] [D20-ticket-audit]
it("a ticket sets the cookie of a console session once", async () => {
  const { human, idToken, owner } = await signIn();
  const ticket = await issue(idToken);
  const { status, headers } = await redeem(ticket);
  expect(status).toBe(204);
  const [cookie, ...others] = headers.getSetCookie();
  expect(others).toEqual([]);
  expect(cookie).toMatch(
    /^wireroom_console=[^;]+; path=\/identity\/console\/session; expires=[^;]+; samesite=strict; httponly$/,
  );
  const renewed = await post(
    "console/session",
    { origin: daemon.origin, cookie: cookie!.split(";")[0]! },
    { grant_type: "refresh_token" },
  );
  expect(decodeJwt(renewed.body.id_token)).toMatchObject({ aud: "wireroom-console", email: human.email });
  const { sign_ins } = await expectOk(daemon.client(renewed.body.id_token).get("/sign-ins"));
  expect(sign_ins.map(({ client }: { client: string }) => client).sort()).toEqual([
    "wireroom-cli",
    "wireroom-console",
  ]);
  expect(await outcomes(owner)).toEqual(["human ok"]);
  expect(await redeem(ticket)).toMatchObject(refusal);
  expect(await redeem(ticket, { source: newSource() })).toMatchObject(refusal);
  expect(await outcomes(owner)).toEqual(["human FORBIDDEN", "human FORBIDDEN", "human ok"]);
});

// [D20-ticket-once]
it("of ten requests at once, one gets the session", async () => {
  const ticket = await issue((await signIn()).idToken);
  const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(ticket)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(403)]);
});

// [D20-ticket-origin]
it("another site cannot redeem a ticket, nor can a request without an origin", async () => {
  const ticket = await issue((await signIn()).idToken);
  for (const origin of ["https://evil.example", "null", `${daemon.origin}.evil.example`])
    expect(await redeem(ticket, { origin })).toMatchObject(refusal);
  expect(await post("console-session", {}, { ticket })).toMatchObject(refusal);
  expect((await redeem(ticket)).status).toBe(204);
});

// [D20-ticket-source]
it("from another address, a ticket needs the e-mail address that the human has confirmed", async () => {
  const { human, idToken } = await signIn();
  const ticket = await issue(idToken);
  const source = newSource();
  for (const email of [undefined, "other@example.com"])
    expect(await redeem(ticket, { source, ...(email && { email }) })).toMatchObject({
      status: 200,
      body: { email: human.email },
    });
  const { status, headers } = await redeem(ticket, { source, email: human.email });
  expect([status, headers.getSetCookie().length]).toEqual([204, 1]);
});

// [D20-ticket]
it("an invented ticket is refused, and a malformed one is invalid", async () => {
  for (const ticket of ["", "0".repeat(64)]) expect(await redeem(ticket)).toMatchObject(refusal);
  for (const ticket of [undefined, 1, null, ["0"]]) expect((await redeem(ticket)).status).toBe(400);
  for (const authorization of ["", "Bearer a.b.c", "Bearer wr_x"])
    expect(await post("console-ticket", { authorization })).toMatchObject(refusal);
});

// [D20-ticket]
it("a ticket ends with the sign-in that requested it", async () => {
  const { idToken, owner } = await signIn();
  const ticket = await issue(idToken);
  const { sign_ins } = await expectOk(owner.get("/sign-ins"));
  await expectOk(owner.delete(`/sign-ins/${sign_ins[0].id}`));
  expect(await redeem(ticket)).toMatchObject(refusal);
});

// [D10-source-throttle]
it.each(["local", "console-ticket", "console-session"])(
  "more than 120 requests of one source to %s get 429, and those of others do not",
  async (path) => {
    const source = { "x-forwarded-for": newSource() };
    const answers = await Promise.all(Array.from({ length: 200 }, () => post(path, source, {})));
    const refused = answers.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(80);
    expect((await post(path, { "x-forwarded-for": newSource() }, {})).status).not.toBe(429);
  },
);

// [D20-ticket-off]
it.each<[string, DaemonOptions]>([
  ["--no-console", { ...OAUTH_DAEMON, args: ["--no-console"] }],
  ["an external provider", { isHosted: true }],
])("there are no tickets with %s", async (_, options) => {
  const other = await startDaemon(options);
  onTestFinished(async () => void (await other.stop()));
  for (const path of ["console-ticket", "console-session"])
    expect((await fetch(`${other.origin}/identity/${path}`, { method: "POST" })).status).toBe(404);
});

// On PostgreSQL, the daemon uses the server's clock.
// [D20-ticket-once]
it.skipIf(ENGINE === "postgres")(
  "a ticket ends after a minute, and is not valid longer if the clock is set back",
  async () => {
    const clock = new SettableClock();
    const at = await startDaemon({ ...OAUTH_DAEMON, isHosted: false, env: clock.env });
    onTestFinished(async () => void (await at.stop()));
    const { idToken } = await signIn(at);
    const tickets = [await issue(idToken, at), await issue(idToken, at)];
    for (const [n, offset] of [61_000, -61_000].entries()) {
      clock.set(offset);
      // The daemon reads its clock every 10 ms.
      await sleep(500);
      expect(await redeem(tickets[n], { at })).toMatchObject(refusal);
    }
  },
);
