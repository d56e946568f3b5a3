import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import type { Body, Client } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";
import { hold } from "../harness/held-requests.js";
import { Application, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { readAllPages } from "../harness/pagination.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);
const { daemon: other } = await daemonFixture([], { ...OAUTH_DAEMON, sharesDatabaseWith: daemon });

/** Either daemon may send the mail with the code, which is then in its log. */
const servers = { origin: daemon.origin, log: () => `${daemon.log()}\n${other.log()}` };

const cli = new Application(daemon, "wireroom-cli");

interface SignIn {
  owner: Client;
  idToken: string;
  refreshToken: string;
}

async function signIn(human: OAuthHuman): Promise<SignIn> {
  const { body } = await human.passwordGrant();
  return { owner: daemon.client(body.id_token), idToken: body.id_token, refreshToken: body.refresh_token };
}

const listed = async ({ owner }: Pick<SignIn, "owner">): Promise<Body[]> =>
  (await expectOk(owner.get("/sign-ins"))).sign_ins;
/** Returns a client that acts as a handle with an access token of a sign-in. */
async function agentOf({ owner }: SignIn, slug: string): Promise<Client> {
  return daemon.client((await expectOk(owner.post(`/handles/${slug}/token`), 201)).token);
}
const newSlug = () => `agent-${randomUUID().slice(0, 8)}`;
const refusedRefresh = { status: 400, body: { error: "invalid_grant" } };
const ended = async (owner: Client): Promise<string[]> =>
  (await expectOk(owner.get("/audit?action=sign_in.ended"))).entries.map(
    ({ actor, handle, subject }: Body) => `${actor} ${handle} ${subject}`,
  );

describe("GET /sign-ins", () => {
  // [D16-sign-ins-list]
  it("lists the live sign-ins of the account, newest first, and marks that of the request", async () => {
    const human = await OAuthHuman.signUp(servers);
    const first = await signIn(human);
    const second = await signIn(human);
    const stranger = await signIn(await OAuthHuman.signUp(servers));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const common = { id: expect.any(String), client: "wireroom-cli", created_at: time, last_used_at: time };
    const list = await listed(first);
    expect(list).toEqual([
      { ...common, current: false },
      { ...common, current: true },
    ]);
    expect((await listed(second)).map(({ current }) => current)).toEqual([true, false]);
    expect(await readAllPages(first.owner, "/sign-ins", "sign_ins", 1)).toEqual(list);
    expect(await listed(stranger)).toHaveLength(1);
  });

  // [D16-sign-ins-list]
  it("keeps the id of a sign-in when its tokens are renewed, and says when", async () => {
    const { owner, refreshToken } = await signIn(await OAuthHuman.signUp(servers));
    const [before] = await listed({ owner });
    const { body } = await cli.refresh(refreshToken);
    const [after] = await listed({ owner: daemon.client(body.id_token) });
    expect(after).toEqual({ ...before, last_used_at: expect.any(String) });
    expect(Date.parse(after.last_used_at)).toBeGreaterThan(Date.parse(before.last_used_at));
  });

  // [D16-sign-ins-id]
  it("gives ids from which no token follows", async () => {
    const human = await OAuthHuman.signUp(servers);
    const { body } = await human.passwordGrant();
    const [{ id }] = await listed({ owner: daemon.client(body.id_token) });
    expect(JSON.stringify(body)).not.toContain(id);
    const { grant_id } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    expect(id).not.toContain(grant_id);
    // The id of a grant would end the sign-in as a refresh token that was used before.
    for (const guess of [id, `${id}.x`, `${grant_id}.x`]) await cli.refresh(guess);
    expect((await cli.refresh(body.refresh_token)).status).toBe(200);
  });
});

describe("DELETE /sign-ins/{id}", () => {
  // [D16-sign-ins-end] [D16-sign-in-ends-tokens]
  it("ends the sign-in at once with its ID tokens, on every daemon, and no other", async () => {
    const human = await OAuthHuman.signUp(servers);
    const lost = await signIn(human);
    const kept = await signIn(human);
    const [, { id }] = await listed(kept);
    for (let n = 0; n < 2; n++)
      expect(await expectOk(kept.owner.delete(`/sign-ins/${id}`))).toEqual({ id, ended: true });
    await expectRefused(lost.owner.get("/accounts/me"), "FORBIDDEN");
    expect(await new Application(other, "wireroom-cli").refresh(lost.refreshToken)).toMatchObject(
      refusedRefresh,
    );
    expect(await cli.refresh(lost.refreshToken)).toMatchObject(refusedRefresh);
    expect(await listed(kept)).toMatchObject([{ current: true }]);
    expect(await ended(kept.owner)).toEqual([`human null sign-in:${id}`]);
    expect((await cli.refresh(kept.refreshToken)).status).toBe(200);
  });

  // [D16-sign-ins-end]
  it("is 404 for a sign-in of another account, and for an unknown id", async () => {
    const mine = await signIn(await OAuthHuman.signUp(servers));
    const theirs = await signIn(await OAuthHuman.signUp(servers));
    const [{ id }] = await listed(theirs);
    await expectRefused(mine.owner.delete(`/sign-ins/${id}`), "NOT_FOUND");
    await expectRefused(mine.owner.delete("/sign-ins/no-such-id"), "NOT_FOUND");
    expect((await cli.refresh(theirs.refreshToken)).status).toBe(200);
    expect(await ended(mine.owner)).toEqual([]);
  });

  // [D16-sign-ins-end]
  it("also ends the session of its browser at the sign-in page, and no other", async () => {
    const human = await OAuthHuman.signUp(servers);
    const inBrowser = new Application(daemon, "wireroom-cli", "http://127.0.0.1:53682/callback");
    const url = inBrowser.authorizationUrl({ scope: "openid email offline_access", prompt: "login" });
    const other = human.withNewBrowser();
    await other.open(url);
    const { body } = await inBrowser.redeem(new URL((await human.open(url)).url));
    const confirmation = inBrowser.authorizationUrl({ scope: "openid email offline_access" });
    for (const { browser } of [human, other])
      expect((await browser.get(confirmation)).text).not.toContain('name="password"');
    const owner = daemon.client(body.id_token);
    const [{ id }] = await listed({ owner });
    await expectOk((await signIn(human)).owner.delete(`/sign-ins/${id}`));
    expect((await human.browser.get(confirmation)).text).toContain('name="password"');
    expect((await other.browser.get(confirmation)).text).not.toContain('name="password"');
    expect(await cli.refresh(body.refresh_token)).toMatchObject(refusedRefresh);
  });

  // [D16-sign-in-ends-tokens]
  it("ends requests whose bodies arrive after the end", async () => {
    const human = await OAuthHuman.signUp(servers);
    const lost = await signIn(human);
    const kept = await signIn(human);
    const { id: handle_id } = await expectOk(kept.owner.post("/handles", { slug: newSlug() }), 201);
    const tooLate = newSlug();
    const requests: [line: string, body: object][] = [
      ["POST /v1/keys", { handle_id }],
      ["POST /v1/handles", { slug: tooLate }],
      ["DELETE /v1/accounts/me", { email: human.email }],
    ];
    const begun = await Promise.all(
      requests.map(async ([line, body]) => {
        const json = JSON.stringify(body);
        const connection = await RawConnection.open(daemon.origin);
        const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${lost.idToken}\r\nContent-Type: application/json`;
        connection.send(
          `${line} HTTP/1.1\r\n${headers}\r\nContent-Length: ${json.length}\r\n\r\n${json.slice(0, 2)}`,
        );
        return { connection, rest: json.slice(2) };
      }),
    );
    await sleep(200);
    const [, { id }] = await listed(kept);
    await expectOk(kept.owner.delete(`/sign-ins/${id}`));
    const statuses = await Promise.all(
      begun.map(async ({ connection, rest }) => (await connection.send(rest).readResponse())?.status),
    );
    for (const { connection } of begun) connection.close();
    expect(statuses).toEqual([403, 403, 403]);
    expect((await expectOk(kept.owner.get("/keys"))).keys).toEqual([]);
    expect((await expectOk(kept.owner.get("/handles"))).handles).toHaveLength(1);
  });

  // [D16-sign-in-ends-tokens] [D10-change]
  it("ends ID tokens also for a change of the password", async () => {
    const human = await OAuthHuman.signUp(servers);
    const lost = await signIn(human);
    const kept = await signIn(human);
    const [, { id }] = await listed(kept);
    await expectOk(kept.owner.delete(`/sign-ins/${id}`));
    await expect(human.changePassword("another long secret", lost.idToken)).rejects.toThrow("password: 403");
    await human.changePassword("another long secret", kept.idToken);
  });

  // [D16-sign-in-ends-tokens]
  it("ends a long poll of the sign-in", async () => {
    const human = await OAuthHuman.signUp(servers);
    const lost = await signIn(human);
    const [{ id }] = await listed(lost);
    const kept = await signIn(human);
    const held = await hold(daemon, () => lost.owner.get("/approvals?wait=5"));
    await expectOk(kept.owner.delete(`/sign-ins/${id}`));
    await expectRefused(held(), "FORBIDDEN");
  });

  // [D16-token-ends-with-sign-in]
  it("ends the access tokens of handles that it issued, and those of no other", async () => {
    const human = await OAuthHuman.signUp(servers);
    const [lost, other, kept] = [await signIn(human), await signIn(human), await signIn(human)];
    const slug = newSlug();
    await expectOk(kept.owner.post("/handles", { slug }), 201);
    const [ofLost, ofOther, ofKept] = await Promise.all(
      [lost, other, kept].map((each) => agentOf(each, slug)),
    );
    const [{ id }] = (await listed(lost)).filter(({ current }) => current);
    const held = await hold(daemon, () => ofLost!.get("/inbox?wait=30"));
    const began = performance.now();
    await expectOk(kept.owner.delete(`/sign-ins/${id}`));
    await expectRefused(held(), "UNAUTHORIZED");
    expect(performance.now() - began).toBeLessThan(15_000);
    await expectRefused(ofLost!.get("/inbox"), "UNAUTHORIZED");
    await expectOk(ofOther!.get("/inbox"));
    await expectOk(kept.owner.delete("/sign-ins"));
    await expectRefused(ofOther!.get("/inbox"), "UNAUTHORIZED");
    await expectOk(ofKept!.get("/inbox"));
  });

  // [D16-token-ends-with-sign-in]
  it("leaves no access token that was asked for at the same time", async () => {
    const human = await OAuthHuman.signUp(servers);
    const kept = await signIn(human);
    const slug = newSlug();
    await expectOk(kept.owner.post("/handles", { slug }), 201);
    for (let n = 0; n < 8; n++) {
      const lost = await signIn(human);
      const [{ id }] = (await listed(lost)).filter(({ current }) => current);
      const [issued] = await Promise.all([
        lost.owner.post(`/handles/${slug}/token`),
        expectOk(kept.owner.delete(`/sign-ins/${id}`)),
      ]);
      if (issued.status === 201)
        await expectRefused(daemon.client(issued.body.token).get("/inbox"), "UNAUTHORIZED");
      else expectError(issued, "FORBIDDEN");
    }
  });

  // [D16-sign-ins-end]
  it("cannot be undone by a renewal at the same time", async () => {
    const human = await OAuthHuman.signUp(servers);
    const kept = await signIn(human);
    for (let n = 0; n < 8; n++) {
      const lost = await signIn(human);
      const [{ id }] = await listed(lost);
      const [renewed] = await Promise.all([
        cli.refresh(lost.refreshToken),
        expectOk(kept.owner.delete(`/sign-ins/${id}`)),
      ]);
      if (renewed.status === 200) {
        await expectRefused(daemon.client(renewed.body.id_token).get("/accounts/me"), "FORBIDDEN");
        expect(await cli.refresh(renewed.body.refresh_token)).toMatchObject(refusedRefresh);
      }
      expect(await listed(kept)).toHaveLength(1);
    }
  });
});

describe("DELETE /sign-ins", () => {
  // [D16-sign-ins-others]
  it("ends all others, also in browsers, and keeps that of the request", async () => {
    const human = await OAuthHuman.signUp(servers);
    const others = [await signIn(human), await signIn(human)];
    const kept = await signIn(human);
    // A browser that is signed in would confirm another sign-in without a password.
    const loopback = new Application(daemon, "wireroom-cli", "http://127.0.0.1:53682/callback");
    const url = loopback.authorizationUrl({ scope: "openid email offline_access" });
    await human.open(url);
    expect((await human.browser.get(url)).text).not.toContain('name="password"');
    const before = await listed(kept);
    expect(await expectOk(kept.owner.delete("/sign-ins"))).toEqual({ ended: 2 });
    expect(await expectOk(kept.owner.delete("/sign-ins"))).toEqual({ ended: 0 });
    for (const { owner, refreshToken } of others) {
      await expectRefused(owner.get("/accounts/me"), "FORBIDDEN");
      expect(await cli.refresh(refreshToken)).toMatchObject(refusedRefresh);
    }
    expect((await human.browser.get(url)).text).toContain('name="password"');
    expect(await listed(kept)).toMatchObject([{ current: true }]);
    const subjects = before.filter(({ current }) => !current).map(({ id }) => `human null sign-in:${id}`);
    expect((await ended(kept.owner)).sort()).toEqual(subjects.sort());
    const { body } = await cli.refresh(kept.refreshToken);
    expect((await cli.refresh(body.refresh_token)).status).toBe(200);
  });

  // [D16-sign-ins-others]
  it("also ends sign-ins of an earlier version, which are listed once they get tokens again", async () => {
    const human = await OAuthHuman.signUp(servers);
    const [known, lost] = [await signIn(human), await signIn(human)];
    await withDatabase(daemon.dataDir, (db) =>
      db.run(
        "DELETE FROM sign_ins WHERE human IN (SELECT id FROM identity_users WHERE email = ?)",
        human.email,
      ),
    );
    const { body } = await cli.refresh(known.refreshToken);
    const current = daemon.client(body.id_token);
    expect(await listed({ owner: current })).toMatchObject([{ current: true }]);
    await expectOk(current.delete("/sign-ins"));
    expect(await cli.refresh(lost.refreshToken)).toMatchObject(refusedRefresh);
    expect((await cli.refresh(body.refresh_token)).status).toBe(200);
  });
});

describe("other ways to end a sign-in", () => {
  // [D16-sign-ins-list] [D10-change] [D10-reset-ends]
  it("are a sign-out and a new password, which keeps the current one", async () => {
    const human = await OAuthHuman.signUp(servers);
    const [one, two, three] = [await signIn(human), await signIn(human), await signIn(human)];
    await cli.revoke(one.refreshToken);
    expect(await listed(three)).toHaveLength(2);
    await human.changePassword("another long secret", (await cli.refresh(three.refreshToken)).body.id_token);
    expect(await listed(three)).toMatchObject([{ current: true }]);
    await expectRefused(two.owner.get("/accounts/me"), "FORBIDDEN");
  });
});
