/** Mails that tell a human how many approvals wait. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import { type AgentClient, type Client, type DaemonOptions, startDaemon } from "../harness/daemon.js";
import { ENGINE, withDatabase } from "../harness/database.js";
import { listApprovals, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { PASSWORD, PASSWORD_GRANT } from "../harness/identity-client.js";
import { OAUTH_DAEMON } from "../harness/oauth.js";
import { grantOperator } from "../harness/operator.js";
import { confirmationCodeIn, startSmtpServer } from "../harness/smtp-server.js";

const HOUR_MS = 3_600_000;
const smtp = await startSmtpServer();
const secret = "5ec4e7".repeat(10);
const options: DaemonOptions = {
  ...OAUTH_DAEMON,
  args: [...OAUTH_DAEMON.args, "--smtp-url", `${smtp.url}?from=wireroom@example.org`],
  localSecret: secret,
};
const daemon = await startDaemon(options);
// On PostgreSQL, another daemon looks for mails in the same database.
const others = ENGINE === "postgres" ? [await startDaemon({ ...options, sharesDatabaseWith: daemon })] : [];
const withoutMails = await startDaemon({ isHosted: true });
afterAll(async () => {
  await Promise.all([daemon, ...others, withoutMails].map((each) => each.stop()));
  await smtp.close();
});

const post = async (path: string, body: object) => {
  const headers = { "content-type": "application/json" };
  const url = `${daemon.origin}/identity/${path}`;
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
};

/** A human with a handle that asks before it writes, and who wants mails. */
class Human {
  static async create(name: string): Promise<Human> {
    const email = `${name}@example.com`;
    await post("sign-up", { email, password: PASSWORD });
    const code = confirmationCodeIn(await smtp.waitForMail(email));
    await post("confirm", { email, password: PASSWORD, code });
    const grant = { client_id: "wireroom-cli", grant_type: PASSWORD_GRANT };
    const body = new URLSearchParams({ ...grant, username: email, password: PASSWORD });
    const response = await fetch(`${daemon.origin}/identity/token`, { method: "POST", body });
    const owner = daemon.client(((await response.json()) as { id_token: string }).id_token);
    const { id } = await expectOk(owner.post("/handles", { slug: name }), 201);
    const { key, id: keyId } = await expectOk(owner.post("/keys", { handle_id: id }), 201);
    const agent = { ...daemon.client(key), slug: name, id, key, keyId, owner };
    await setEgressPolicy(agent, { mode: "approval" });
    await turn(owner, true);
    return new Human(email, owner, agent);
  }

  constructor(
    readonly email: string,
    readonly owner: Client,
    readonly agent: AgentClient,
  ) {}

  async hold(text: string): Promise<void> {
    await sendHeldWire(this.agent, "@bob", { text });
  }

  mail = () => smtp.waitForMail(this.email);
  mails = () => smtp.mails.filter(({ to }) => to.includes(this.email)).length;

  async letHourPass(): Promise<void> {
    await withDatabase(daemon.dataDir, (db) =>
      db.run(
        `UPDATE accounts SET approvals_mailed_at = approvals_mailed_at - ${HOUR_MS + 1_000} WHERE email = ?`,
        this.email,
      ),
    );
  }
}

const turn = (owner: Client, approval_mails: boolean) =>
  expectOk(owner.put("/accounts/me", { approval_mails }));

const queuedMails = () =>
  withDatabase(daemon.dataDir, (db) =>
    db.all<{ email: string }>(
      "SELECT email FROM identity_requests WHERE purpose = 'approvals' AND mail_due_at IS NOT NULL ORDER BY email",
    ),
  );

/** Makes all mails due that the server has refused. */
const retryMails = () =>
  withDatabase(daemon.dataDir, (db) =>
    db.run("UPDATE identity_requests SET mail_due_at = 1 WHERE mail_due_at IS NOT NULL"),
  );

beforeAll(async () => {
  await Human.create("bob");
});

describe("PUT /accounts/me", () => {
  // [D21-account-update] [S2.4-account-fields]
  it("turns the mails on and off", async () => {
    const { owner } = await Human.create("chooser");
    expect((await expectOk(owner.get("/accounts/me"))).approval_mails).toBe(true);
    expect(await turn(owner, false)).toEqual(await expectOk(owner.get("/accounts/me")));
    expect((await expectOk(owner.get("/accounts/me"))).approval_mails).toBe(false);
    await expectRefused(owner.put("/accounts/me", {}), "VALIDATION_ERROR");
    await expectRefused(owner.put("/accounts/me", { approval_mails: null }), "VALIDATION_ERROR");
  });

  // [D21-account-update]
  it("is refused if the daemon sends no mails, or none to the address", async () => {
    const { id_token } = (await post("local", { secret, email: "local@localhost" })) as { id_token: string };
    for (const owner of [await withoutMails.humanClient("hannah"), daemon.client(id_token)]) {
      expect((await expectOk(owner.get("/accounts/me"))).approval_mails).toBe(null);
      const { errors } = await expectRefused(
        owner.put("/accounts/me", { approval_mails: true }),
        "VALIDATION_ERROR",
      );
      expect(errors[0].instancePath).toBe("/approval_mails");
      expect((await turn(owner, false)).approval_mails).toBe(null);
    }
  });
});

describe("a mail about approvals", () => {
  // [D21-approval-mails] [D21-approval-mails-hourly] [D21-approval-mails-once]
  it("says how much waits, without words of agents, at most once an hour and once for all daemons", async () => {
    const human = await Human.create("alice");
    await human.hold("words of an agent");
    const { text } = await human.mail();
    expect(text).toContain("Subject: 1 approval waits");
    // Either daemon may send it.
    const sender = [daemon, ...others].find(({ origin }) => text.includes(`${origin}/console/approvals`));
    expect(text).toContain(`${sender?.origin}/console/account`);
    expect(text).not.toContain("words of an agent");
    expect(text).not.toContain("@bob");
    await human.hold("another one");
    await expectOk(human.agent.post("/knocks", { handle: "bob", intro: "words of a knock" }), 202);
    const sentBefore = human.mails();
    await human.letHourPass();
    expect((await human.mail()).text).toContain("Subject: 3 approvals wait");
    // An hour later nothing new waits. The next mail is about the wire that is held then.
    await human.letHourPass();
    await human.hold("a last one");
    expect((await human.mail()).text).toContain("Subject: 4 approvals wait");
    expect([sentBefore, human.mails()]).toEqual([2, 4]);
  });

  // [D21-approval-mails]
  it("is about the account's own approvals, and is not sent to others", async () => {
    const [dora, emil] = [await Human.create("dora"), await Human.create("emil")];
    await turn(emil.owner, false);
    await emil.hold("not by mail");
    await dora.hold("by mail");
    expect((await dora.mail()).text).toContain("Subject: 1 approval waits");
    expect(emil.mails()).toBe(1);
    await turn(emil.owner, true);
    expect((await emil.mail()).text).toContain("Subject: 1 approval waits");
  });

  // [D21-approval-mails-recounted]
  it("is not sent if nothing waits any more or the human has turned it off when it can be sent", async () => {
    const [frida, gil] = [await Human.create("frida"), await Human.create("gil")];
    smtp.setBehaviour("busy");
    for (const human of [frida, gil]) await human.hold("may I?");
    await expect.poll(queuedMails).toEqual([frida, gil].map(({ email }) => ({ email })));
    const [approval] = await listApprovals(frida.agent);
    await expectOk(frida.owner.put(`/approvals/${approval.id}`, { status: "rejected" }));
    await turn(gil.owner, false);
    smtp.setBehaviour("work");
    await retryMails();
    await expect.poll(queuedMails).toEqual([]);
    expect([frida.mails(), gil.mails()]).toEqual([1, 1]);
  });

  // [D21-approval-mails-suspended]
  it("is neither queued nor sent while the account is suspended", async () => {
    const [operator, sue, tim] = [
      await Human.create("oscar"),
      await Human.create("sue"),
      await Human.create("tim"),
    ];
    await grantOperator(daemon, "oscar");
    const suspend = (name: string, suspended = true) =>
      expectOk(operator.agent.put(`/operator/handles/${name}`, { suspended, account: true }));
    // Of Sue nothing is queued, because she gets no mails until she is suspended. A mail to Tim is queued.
    await turn(sue.owner, false);
    await sue.hold("may I?");
    await suspend("sue");
    await turn(sue.owner, true);
    smtp.setBehaviour("busy");
    await tim.hold("may I?");
    await expect.poll(queuedMails).toEqual([{ email: tim.email }]);
    await suspend("tim");
    smtp.setBehaviour("work");
    await retryMails();
    await expect.poll(queuedMails).toEqual([]);
    expect([sue.mails(), tim.mails()]).toEqual([1, 1]);

    await suspend("sue", false);
    expect((await sue.mail()).text).toContain("Subject: 1 approval waits");
  });

  // [D16-account-delete-forgets]
  it("leaves nothing when the account is deleted", async () => {
    const human = await Human.create("leaver");
    await human.hold("may I?");
    await human.mail();
    await expectOk(human.owner.request("DELETE", "/accounts/me", { email: human.email }));
    expect((await human.mail()).text).toContain("was deleted");
    const rows = () =>
      withDatabase(daemon.dataDir, (db) =>
        db.all("SELECT id FROM identity_requests WHERE email = ?", human.email),
      );
    await expect.poll(rows).toEqual([]);
  });
});
