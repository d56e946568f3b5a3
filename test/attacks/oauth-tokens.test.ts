/** Attacks on the tokens of a connection, and what ends them. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityClient, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { Application, OAuthHuman, oauthServer } from "../harness/oauth.js";

let human: OAuthHuman;
let application: Application;
/** How far the clock of the identity provider is ahead, and when it was stopped, if it was. */
let aheadMs = 0;
let stoppedAt: number | undefined;
const host = await identityFixture({ now: () => (stoppedAt ?? Date.now()) + aheadMs });

beforeAll(async () => {
  human = await OAuthHuman.signUp(oauthServer(host));
  application = await Application.register(oauthServer(host));
  await application.connect(human, { newHandle: "victim" });
});

beforeEach(() => {
  aheadMs = 0;
  stoppedAt = undefined;
});

const connect = () => application.connect(human, { handle: "victim" });
const authenticate = (token: string) => host.service.authenticator.authenticateAgent(token);
const ended = { code: "UNAUTHORIZED" };

async function expectEnded(...tokens: { access_token: string; refresh_token: string }[]): Promise<void> {
  for (const { access_token, refresh_token } of tokens) {
    await expect(authenticate(access_token)).rejects.toMatchObject(ended);
    expect((await application.refresh(refresh_token)).body.error).toBe("invalid_grant");
  }
}

describe("a used refresh token", () => {
  // [D13-refresh-grace]
  it("gives another pair within 30 s, because the response may have been lost", async () => {
    const first = await connect();
    // A busy machine may need more than the second that is left.
    stoppedAt = Date.now();
    const { body: lost } = await application.refresh(first.refresh_token);
    aheadMs += 29_000;
    const { status, body: second } = await application.refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(new Set([lost, second].flatMap((body) => [body.access_token, body.refresh_token])).size).toBe(4);
    await authenticate(second.access_token);
    // Of the two successors, the first one that is refreshed ends the other.
    expect((await application.refresh(second.refresh_token)).status).toBe(200);
    aheadMs += 31_000;
    expect((await application.refresh(lost.refresh_token)).body.error).toBe("invalid_grant");
    await expectEnded(first, lost, second);
  });

  // [D13-resource]
  it("is none if its request named another resource", async () => {
    const first = await connect();
    const refused = await application.refresh(first.refresh_token, { resource: "https://evil.example" });
    expect(refused).toMatchObject({ status: 400, body: { error: "invalid_target" } });
    aheadMs += 31_000;
    expect((await application.refresh(first.refresh_token)).status).toBe(200);
  });

  // [D13-refresh-grace]
  it("of two concurrent requests gives both a pair", async () => {
    const first = await connect();
    const answers = await Promise.all([1, 2, 3].map(() => application.refresh(first.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { body } of answers) await authenticate(body.access_token);
  });

  // [D13-refresh-grace]
  it("gives another pair at a daemon whose clock is behind that of the first one", async () => {
    const first = await connect();
    expect((await application.refresh(first.refresh_token)).status).toBe(200);
    aheadMs -= 1_000;
    expect((await application.refresh(first.refresh_token)).status).toBe(200);
  });

  // [D13-refresh-reuse]
  it("ends the connection after 30 s, and is recognised when its record is long gone", async () => {
    for (const laterMs of [30_000, 3_600_000]) {
      const first = await connect();
      const { body: second } = await application.refresh(first.refresh_token);
      aheadMs += laterMs;
      await host.purge();
      expect((await application.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
      await expectEnded(second);
    }
  });

  // [D13-refresh-reuse]
  it("ends the connection within 30 s if its successor refreshed", async () => {
    const first = await connect();
    const { body: second } = await application.refresh(first.refresh_token);
    const { body: third } = await application.refresh(second.refresh_token);
    expect((await application.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
    await expectEnded(second, third);
  });

  // [D13-refresh-grace]
  it("may be shared by two sessions of a host: neither ends the other's tokens, also later", async () => {
    const { refresh_token: stored } = await connect();
    const { body: one } = await application.refresh(stored);
    await authenticate(one.access_token);
    const { body: other } = await application.refresh(stored);
    for (const { access_token } of [one, other]) await authenticate(access_token);
    aheadMs += 3_590_000;
    expect((await application.refresh(one.refresh_token)).status).toBe(200);
    aheadMs += 5_000;
    expect((await application.refresh(other.refresh_token)).status).toBe(200);
  });

  it("cannot fork the connection by racing its successor", async () => {
    for (let round = 0; round < 5; round++) {
      const first = await connect();
      const { body: second } = await application.refresh(first.refresh_token);
      const answers = await Promise.all([
        application.refresh(first.refresh_token),
        application.refresh(second.refresh_token),
        application.refresh(first.refresh_token),
      ]);
      aheadMs += 31_000;
      // Whatever each of them got, at most one line goes on.
      const going = [];
      for (const { status, body } of answers)
        if (status === 200 && (await application.refresh(body.refresh_token)).status === 200)
          going.push(body);
      expect(going.length).toBeLessThanOrEqual(1);
    }
  });

  it("of another client is not accepted, and ends nothing", async () => {
    const tokens = await connect();
    const thief = await Application.register(oauthServer(host));
    expect((await thief.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    await authenticate(tokens.access_token);
    expect((await application.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it("is not guessed from the grant: a forged one of an unknown grant ends nothing", async () => {
    const tokens = await connect();
    const forged = `${"x".repeat(43)}.${tokens.refresh_token.split(".")[1]}`;
    expect((await application.refresh(forged)).body.error).toBe("invalid_grant");
    await authenticate(tokens.access_token);
  });
});

// [D13-refresh-limit]
it("a connection is refreshed at most 60 times an hour, and not ended by more", async () => {
  let tokens = await connect();
  const refresh = () => application.refresh(tokens.refresh_token);
  for (let n = 0; n < 60; n++) {
    const { status, body } = await refresh();
    expect(status).toBe(200);
    tokens = body;
  }
  expect(await refresh()).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
  await authenticate(tokens.access_token);
  aheadMs += 3_600_000;
  expect((await refresh()).status).toBe(200);
});

describe("a connection ends", () => {
  // [D13-revocation]
  it.each(["access_token", "refresh_token"] as const)(
    "when the application revokes its %s, but not when another one does",
    async (which) => {
      const tokens = await connect();
      const thief = await Application.register(oauthServer(host));
      expect((await thief.revoke(tokens[which])).status).toBe(200);
      await authenticate(tokens.access_token);
      expect((await application.revoke(tokens[which])).status).toBe(200);
      await expectEnded(tokens);
      expect((await application.revoke(tokens[which])).status).toBe(200);
    },
  );
});

// [D13-outlives-password]
it("a connection and its refresh token outlive a new password, and the sign-out in the browser", async () => {
  const tokens = await connect();
  const waiting = await human.approve(application.authorizationUrl(), { handle: "victim" });
  const signOut = await human.browser.get(`${host.origin}/identity/session/end`);
  await human.browser.submit(signOut, { logout: "yes" });
  const { post } = identityClient(() => host);
  const next = "an entirely new password";
  const changed = { email: human.email, password: PASSWORD, new_password: next };
  expect((await post("password", changed)).status).toBe(200);
  await authenticate(tokens.access_token);
  const refreshed = await application.refresh(tokens.refresh_token);
  expect(refreshed.status).toBe(200);
  // A code of the old sign-in ends with it.
  expect((await application.redeem(waiting)).body.error).toBe("invalid_grant");
  expect((await post("password", { ...changed, password: next, new_password: PASSWORD })).status).toBe(200);
});

// [D13-forgotten]
it("no token or code is stored in plaintext, and a registration no longer than 30 days without use", async () => {
  const own = await Application.register(oauthServer(host));
  const back = await human.approve(own.authorizationUrl(), { handle: "victim" });
  const { body: tokens } = await own.redeem(back);
  const secrets = [tokens.access_token, tokens.refresh_token.split(".")[1], back.searchParams.get("code")];
  const stored = await host.dump();
  for (const secret of secrets) expect(stored).not.toContain(secret);

  const unused = await Application.register(oauthServer(host));
  aheadMs += 30 * 24 * 3_600_000;
  const page = await human.withNewBrowser().browser.get(unused.authorizationUrl());
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining("invalid_client") });
  expect(page.text).toContain("remove the server and add it again");
  expect((await human.withNewBrowser().browser.get(own.authorizationUrl())).status).toBe(200);
});

// Last, because it deletes what the other tests share.
it("a connection ends after 90 days without a refresh or a call, and its application is forgotten", async () => {
  const own = await Application.register(oauthServer(host));
  const tokens = await own.connect(human, { handle: "victim" });
  aheadMs += 91 * 24 * 3_600_000;
  await host.purge();
  expect((await own.refresh(tokens.refresh_token)).body.error).toBe("invalid_client");
});
