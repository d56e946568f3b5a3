import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import {
  type AgentClient,
  type Body,
  type Client,
  NO_LIMITS,
  startDaemon,
  type TestDaemon,
} from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { databaseUrlOf, withDatabase } from "../harness/database.js";
import { setEgressPolicy } from "../harness/egress.js";
import { hold } from "../harness/held-requests.js";
import { PASSWORD, PASSWORD_GRANT } from "../harness/identity-client.js";
import { runInProcess } from "../harness/in-process.js";
import { Application, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { confirmationCodeIn, startSmtpServer } from "../harness/smtp-server.js";

const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });
const { daemon: external, bob } = await daemonFixture(["bob"]);

const cli = new Application(daemon, "wireroom-cli");
const erase = (owner: Client, email: unknown) => owner.request("DELETE", "/accounts/me", { email });

/** A human with a handle and a key for it. */
async function newHuman(slug: string) {
  const human = await OAuthHuman.signUp(daemon);
  const { body } = await human.passwordGrant();
  const owner = daemon.client(body.id_token);
  return { human, owner, refreshToken: body.refresh_token as string, agent: await createAgent(owner, slug) };
}

async function createAgent(owner: Client, slug: string): Promise<AgentClient> {
  const { id } = await expectOk(owner.post("/handles", { slug, bio: `the bio of ${slug}` }), 201);
  const { key, id: keyId } = await expectOk(owner.post("/keys", { handle_id: id }), 201);
  return { ...daemon.client(key), slug, id, key, keyId, owner };
}

const subjectOf = (idToken: string): string =>
  JSON.parse(Buffer.from(idToken.split(".")[1]!, "base64url").toString()).sub;

/** Returns every row of the database in which a text occurs, as `table: row`. */
function rowsWith({ dataDir }: TestDaemon, text: string): Promise<string[]> {
  return withDatabase(dataDir, async (db) => {
    const found: string[] = [];
    for (const table of TABLES) {
      for (const row of await db.all<Body>(`SELECT * FROM ${table}`)) {
        const json = JSON.stringify(row);
        if (json.toLowerCase().includes(text.toLowerCase())) found.push(`${table}: ${json}`);
      }
    }
    return found;
  });
}

/** The tables that the identity provider and accounts use. */
const TABLES = [
  ...["accounts", "handles", "api_keys", "connections", "access_tokens", "approvals", "audit", "idempotency"],
  ...["identity_users", "identity_requests", "identity_sent_mails", "identity_throttles", "identity_records"],
  "sign_ins",
];

describe("DELETE /accounts/me", () => {
  // [D16-account-delete-confirmed]
  it("needs the e-mail address of the account, in upper or lower case", async () => {
    const { human, owner, agent } = await newHuman("careful");
    for (const email of [undefined, "", "someone@example.com", `${human.email}.org`]) {
      const { errors } = await expectRefused(erase(owner, email), "VALIDATION_ERROR");
      expect(JSON.stringify(errors)).toContain("email");
    }
    await expectRefused(owner.delete("/accounts/me"), "VALIDATION_ERROR");
    await expectRefused(erase(agent, human.email), "FORBIDDEN");
    await expectOk(agent.get("/profile"));
    const { id } = await expectOk(owner.get("/accounts/me"));
    const answer = await expectOk(erase(owner, ` ${human.email.toUpperCase()} `));
    expect(answer).toEqual({ id, deleted: true });
  });

  // [D16-account-delete]
  it("ends handles, keys, connections, tokens, held approvals and sign-ins at once", async () => {
    const { human, owner, refreshToken, agent } = await newHuman("leaver");
    const { agent: friend } = await newHuman("friend");
    const second = await createAgent(owner, "leaver-two");
    const application = await Application.register(daemon);
    const connection = await application.connect(human, { handle: "leaver" });
    const { token } = await expectOk(owner.post("/handles/leaver/token"), 201);
    const wire = await sendWire(agent, "friend", { text: "remember me" });
    await expectOk(owner.put("/handles/leaver-two/egress", { mode: "approval" }));
    const held = await expectOk(second.post("/wires", { to: "friend", text: "a secret plan" }), 202);
    const inbox = await hold(daemon, () => agent.get("/inbox?wait=30"));
    const approvals = await hold(daemon, () => owner.get("/approvals?wait=5&handle=leaver"));
    const began = performance.now();
    await expectOk(erase(owner, human.email));
    await expectRefused(inbox(), "UNAUTHORIZED");
    expect(performance.now() - began).toBeLessThan(15_000);
    await expectRefused(approvals(), "FORBIDDEN");
    for (const credential of [agent.key, second.key, token, connection.access_token])
      await expectRefused(daemon.client(credential).get("/profile"), "UNAUTHORIZED");
    expect((await application.refresh(connection.refresh_token)).body.error).toBe("invalid_grant");
    expect((await cli.refresh(refreshToken)).body.error).toBe("invalid_grant");
    expect((await human.passwordGrant()).body.error).toBe("invalid_grant");
    await expectRefused(friend.post("/wires", { to: "leaver", text: "psst" }), "NOT_FOUND");
    expect(JSON.stringify(await readWire(friend, wire))).toContain("remember me");
    expect(await rowsWith(daemon, held.id)).toEqual([]);
    expect(await rowsWith(daemon, "a secret plan")).toEqual([]);
  });

  // [D16-account-delete-forgets]
  it("leaves nothing that identifies the human", async () => {
    const { human, owner, agent } = await newHuman("private-person");
    const application = await Application.register(daemon);
    await application.connect(human, { handle: "private-person" });
    await owner.post("/handles", { slug: "private-too", bio: "my bio" }, { "idempotency-key": "one" });
    await human.withNewBrowser().open(cli.authorizationUrl());
    for (const path of ["forgot", "sign-up"] as const) await human.request(path);
    const sub = subjectOf(await human.idToken());
    expect((await rowsWith(daemon, human.email)).map((row) => row.split(":")[0])).toEqual(
      expect.arrayContaining(["accounts", "identity_users", "identity_requests", "identity_sent_mails"]),
    );
    expect((await rowsWith(daemon, sub)).length).toBeGreaterThan(5);
    await expectOk(erase(owner, human.email));
    // The mail that says so is still to be sent.
    await expect.poll(() => daemon.log()).toContain(`"email":"${human.email}","msg":"account deleted"`);
    await expect.poll(() => rowsWith(daemon, human.email)).toEqual([]);
    expect(await rowsWith(daemon, sub)).toEqual([]);
    expect(await rowsWith(daemon, "my bio")).toEqual([]);
    expect(await rowsWith(daemon, "the bio of private-person")).toEqual([]);
    expect((await rowsWith(daemon, agent.id)).map((row) => row.split(":")[0])).toEqual(["handles"]);
  });

  // [D16-account-delete-again]
  it("creates no account anew for an ID token of before; signing up does, and it is empty", async () => {
    const { human, owner } = await newHuman("phoenix");
    const { id } = await expectOk(owner.get("/accounts/me"));
    await expectOk(erase(owner, human.email));
    const before = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT count(*) AS n FROM accounts"),
    );
    for (const request of [
      owner.get("/accounts/me"),
      owner.post("/handles", { slug: "ashes" }),
      erase(owner, human.email),
    ]) {
      await expectRefused(request, "FORBIDDEN");
    }
    expect(
      await withDatabase(daemon.dataDir, (db) => db.all<Body>("SELECT count(*) AS n FROM accounts")),
    ).toEqual(before);
    await human.signUp();
    const anew = daemon.client(await human.idToken());
    const account = await expectOk(anew.get("/accounts/me"));
    expect(account).toMatchObject({ email: human.email });
    expect(account.id).not.toBe(id);
    for (const list of ["handles", "keys", "connections", "approvals"])
      expect((await expectOk(anew.get(`/${list}`)))[list]).toEqual([]);
    expect((await expectOk(anew.get("/audit"))).entries).toEqual([]);
    await expectRefused(anew.post("/handles", { slug: "phoenix" }), "VALIDATION_ERROR");
    await expectRefused(owner.get("/accounts/me"), "FORBIDDEN");
  });

  // [D16-account-delete-spaces]
  it("passes the spaces of its handles on or closes them, whoever made it their owner", async () => {
    const { human, owner, agent } = await newHuman("landlord");
    const { agent: tenant } = await newHuman("tenant");
    const second = await createAgent(owner, "landlord-two");
    await createSpace(second, "house");
    await createSpace(agent, "garden");
    await expectOk(second.put("/spaces/house", { members: [{ handle: "tenant", role: "mod" }] }));
    await expectOk(agent.put("/spaces/garden", { members: [{ handle: "landlord-two", role: "mod" }] }));
    await expectOk(erase(owner, human.email));
    const house = await expectOk(tenant.get("/spaces/house"));
    expect(house).toMatchObject({ owner_handle_id: tenant.id, member_counts: { owner: 1, mod: 0 } });
    const garden = await expectOk(tenant.get("/spaces/garden"));
    expect(garden.member_counts).toEqual({ owner: 0, mod: 0, poster: 0, reader: 0 });
    await expectRefused(tenant.post("/wires", { to: "#garden", text: "hi" }), "POSTING_DENIED");
  });

  // [D16-account-delete-leaves]
  it("of a handle that has sent wires before and after a held one leaves a sound database", async () => {
    const { human, owner, agent } = await newHuman("interrupted");
    const held = { to: "nobody-else", text: "not for anyone" };
    await createAgent(owner, "nobody-else");
    await setEgressPolicy(agent, { mode: "approval", allow: ["@interrupted"] });
    for (const [wire, status] of [
      [{ to: "interrupted", text: "one" }, 201],
      [held, 202],
      [{ to: "interrupted", text: "two" }, 201],
      [held, 202],
    ] as const)
      await expectOk(agent.post("/wires", wire), status);
    expect((await erase(owner, human.email)).status).toBe(200);
    expect(await rowsWith(daemon, held.text)).toEqual([]);
    const check = await runInProcess(["store", "check", "--database-url", databaseUrlOf(daemon.dataDir)]);
    expect(check.code, check.stdout).toBe(0);
  });

  // [D16-account-delete-leaves] [D14-wait-approvals]
  it("frees no number of a held wire, which cursors of approvals contain", async () => {
    const hold = async (slug: string) => {
      const { human, owner, agent } = await newHuman(slug);
      await createAgent(owner, `${slug}-target`);
      await setEgressPolicy(agent, { mode: "approval" });
      await expectOk(agent.post("/wires", { to: `${slug}-target`, text: "held" }), 202);
      return { human, owner };
    };
    const newest = () =>
      withDatabase(daemon.dataDir, async (db) =>
        Number((await db.all<{ pk: number }>("SELECT coalesce(max(pk), 0) AS pk FROM approvals"))[0]!.pk),
      );
    const { human, owner } = await hold("first-holder");
    const deleted = await newest();
    await expectOk(erase(owner, human.email));
    expect(await newest()).toBeLessThan(deleted);
    await hold("second-holder");
    expect(await newest()).toBeGreaterThan(deleted);
  });

  // [D16-account-delete-leaves]
  it("keeps the audit log, which nobody can read any more, and the database is consistent", async () => {
    const { human, owner } = await newHuman("recorded");
    const { id } = await expectOk(owner.get("/accounts/me"));
    await expectOk(erase(owner, human.email));
    const rows = await rowsWith(daemon, `account:${id}`);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('"action":"account.deleted"');
    const url = databaseUrlOf(daemon.dataDir);
    const check = await runInProcess(["store", "check", "--database-url", url, "--json"]);
    expect(JSON.parse(check.stdout).problems ?? []).toEqual([]);
    expect(check.code).toBe(0);
  });
});

describe("the mail about the deletion", () => {
  // [D16-account-delete-mail]
  it("is sent to the address, also by a mail server that was busy, and is then forgotten", async () => {
    const smtp = await startSmtpServer();
    const mailing = await startDaemon({
      ...OAUTH_DAEMON,
      args: [...OAUTH_DAEMON.args, "--smtp-url", `${smtp.url}?from=wireroom@example.org`],
    });
    try {
      const email = "mailed@example.com";
      const post = (path: string, body: object) =>
        fetch(`${mailing.origin}/identity/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      await post("sign-up", { email, password: PASSWORD });
      const code = confirmationCodeIn(await smtp.waitForMail(email));
      await post("confirm", { email, password: PASSWORD, code });
      const token = await fetch(`${mailing.origin}/identity/token`, {
        method: "POST",
        body: new URLSearchParams({
          ...{ client_id: "wireroom-cli", grant_type: PASSWORD_GRANT, username: email, password: PASSWORD },
        }),
      });
      const { id_token } = (await token.json()) as Body;
      smtp.setBehaviour("busy");
      await expectOk(erase(mailing.client(id_token), email));
      await expect.poll(() => mailing.log()).toContain("a mail could not be sent");
      expect((await rowsWith(mailing, email)).map((row) => row.split(":")[0])).toEqual([
        "identity_requests",
        "identity_sent_mails",
      ]);
      smtp.setBehaviour("work");
      await withDatabase(mailing.dataDir, (db) => db.run("UPDATE identity_requests SET mail_due_at = 1"));
      const { text } = await smtp.waitForMail(email);
      expect(text).toContain("Your Wireroom account was deleted");
      await expect.poll(() => rowsWith(mailing, email)).toEqual([]);
    } finally {
      await mailing.stop();
      await smtp.close();
    }
  });
});

describe("an account that is deleted while", () => {
  // [D16-account-delete]
  it("it is deleted by another request, is deleted once", async () => {
    const { human, owner } = await newHuman("twice");
    const answers = await Promise.all([1, 2, 3, 4].map(() => erase(owner, human.email)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 403]).toContain(status);
    const events = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>(
        "SELECT a.id FROM audit a JOIN handles h ON h.account = a.account WHERE h.slug = 'twice' AND a.action = 'account.deleted'",
      ),
    );
    expect(events).toHaveLength(1);
  });

  // [D16-account-delete] [D16-account-delete-forgets]
  it("its handles send and it makes new ones, keeps none", async () => {
    for (let round = 0; round < 2; round++) {
      const { human, owner, agent } = await newHuman(`racer-${round}`);
      const { body } = await human.passwordGrant();
      const work = async (send: (n: number) => Promise<{ status: number }>) => {
        for (let n = 0; n < 40; n++) if ((await send(n)).status >= 400) return;
      };
      const racing = [
        work(() => agent.post("/wires", { to: agent.slug, text: "busy" })),
        work((n) => owner.post("/handles", { slug: `racer-${round}-${n}` })),
        work(() => owner.post(`/handles/${agent.slug}/token`)),
        work(() => owner.post("/keys", { handle_id: agent.id })),
        work(() => human.passwordGrant()),
        work(() => human.passwordGrant()),
        work(() => cli.refresh(body.refresh_token)),
      ];
      expect((await erase(owner, human.email)).status).toBe(200);
      await Promise.all(racing);
      await expectRefused(agent.get("/profile"), "UNAUTHORIZED");
      const live = await withDatabase(daemon.dataDir, (db) =>
        db.all<Body>(`SELECT slug FROM handles WHERE slug LIKE 'racer-${round}%' AND retired_at IS NULL`),
      );
      expect(live).toEqual([]);
      // A sign-in that came too late is counted as a wrong password, as for every address without an account.
      const left = async () =>
        (await rowsWith(daemon, human.email)).filter((row) => !row.startsWith("identity_throttles: "));
      await expect.poll(left).toEqual([]);
      expect(await rowsWith(daemon, subjectOf(body.id_token))).toEqual([]);
    }
    const check = await runInProcess(["store", "check", "--database-url", databaseUrlOf(daemon.dataDir)]);
    expect(check.code, check.stdout).toBe(0);
  });
});

describe("another public URL of the daemon", () => {
  // [D10-account] [D16-account-delete-again]
  it("leaves accounts to their humans, and a deleted one comes back empty", async () => {
    const args = [...OAUTH_DAEMON.args, ...NO_LIMITS];
    const moving = await startDaemon({ ...OAUTH_DAEMON, args });
    try {
      const [stays, goes] = [await OAuthHuman.signUp(moving), await OAuthHuman.signUp(moving)];
      const enter = async (human: OAuthHuman) => moving.client(await human.idToken());
      const accountOf = async (owner: Client) => (await expectOk(owner.get("/accounts/me"))).id;
      const { body } = await stays.passwordGrant();
      const kept = await accountOf(moving.client(body.id_token));
      const deleted = await accountOf(await enter(goes));
      for (const [human, slug] of [
        [stays, "settled"],
        [goes, "nomad"],
      ] as const)
        await expectOk((await enter(human)).post("/handles", { slug }), 201);
      let refreshToken = body.refresh_token;
      for (const url of ["https://wires.example.com", "https://wires.example.org"]) {
        await moving.restart(async () => void args.push("--public-url", url));
        expect(await accountOf(await enter(stays))).toBe(kept);
        const renewed = await new Application(moving, "wireroom-cli").refresh(refreshToken);
        refreshToken = renewed.body.refresh_token;
        const owner = moving.client(renewed.body.id_token);
        expect((await expectOk(owner.get("/handles"))).handles).toMatchObject([{ slug: "settled" }]);
        if (url.endsWith(".com")) {
          expect(await accountOf(await enter(goes))).toBe(deleted);
          await expectOk(erase(await enter(goes), goes.email));
          await goes.signUp();
        }
        const anew = await enter(goes);
        expect(await accountOf(anew)).not.toBe(deleted);
        expect((await expectOk(anew.get("/handles"))).handles).toEqual([]);
      }
    } finally {
      await moving.stop();
    }
  });
});

describe("with an external provider", () => {
  const token = (name: string, iat = Math.floor(Date.now() / 1000)) =>
    external.issuer.token({ claims: { sub: name, email: `${name}@example.com`, iat } });

  // [D16-account-delete-external]
  it("an ID token of before the deletion creates no account, and a later one an empty one", async () => {
    const ada = await external.createAgent("ada");
    const { id } = await expectOk(ada.owner.get("/accounts/me"));
    await expectOk(erase(ada.owner, "ADA@example.com"));
    const now = Math.floor(Date.now() / 1000);
    // The clock of the issuer may be ahead by 30 seconds.
    for (const iat of [now - 60, now, now + 25]) {
      await expectRefused(external.client(await token("ada", iat)).get("/accounts/me"), "FORBIDDEN");
    }
    expect(await rowsWith(external, "ada@example.com")).toEqual([]);
    const anew = external.client(await token("ada", now + 40));
    const account = await expectOk(anew.get("/accounts/me"));
    expect(account.email).toBe("ada@example.com");
    expect(account.id).not.toBe(id);
    expect((await expectOk(anew.get("/handles"))).handles).toEqual([]);
    await expectRefused(ada.owner.get("/accounts/me"), "FORBIDDEN");
    // Again, with the account that has followed.
    await expectOk(erase(anew, "ada@example.com"));
    await expectRefused(external.client(await token("ada", now + 20)).get("/accounts/me"), "FORBIDDEN");
    expect(await rowsWith(external, "ada@example.com")).toEqual([]);
    await expectOk(bob.get("/profile"));
    expect(external.log()).not.toContain("account deleted");
  });

  // [D16-sign-ins-external]
  it("the command line's sign-ins are not listed", async () => {
    const owner = external.client(await token("cleo"));
    expect(await expectOk(owner.get("/sign-ins"))).toEqual({ sign_ins: [], next_cursor: null });
    expect(await expectOk(owner.delete("/sign-ins"))).toEqual({ ended: 0 });
    await expectOk(owner.get("/accounts/me"));
  });

  // [D16-sign-ins-external]
  it("a claim that names a grant is not believed", async () => {
    const claims = { sub: "mallory", email: "mallory@example.com", grant_id: "anything" };
    await expectOk(external.client(await external.issuer.token({ claims })).get("/accounts/me"));
  });
});
