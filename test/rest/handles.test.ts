import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused } from "../harness/api-helpers.js";
import type { Client } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { readAllPages } from "../harness/pagination.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const { daemon } = await hostedFixture();
let human: Client;

beforeAll(async () => {
  human = await daemon.humanClient("hannah");
});

describe("GET /accounts/me", () => {
  // [S4.2-accounts-me] [S2.4-account-fields] [S2.4-lazy]
  it("returns id and e-mail, and creates the account on the first call", async () => {
    const account = await expectOk(human.get("/accounts/me"));
    expect(account).toEqual({
      ...{ id: expect.stringMatching(UUID), email: "hannah@example.com" },
      approval_mails: null,
    });
    expect(await expectOk(human.get("/accounts/me"))).toEqual(account);
  });

  // [D10-account] [S2.4-lazy]
  it("creates one account for many concurrent first calls", async () => {
    const newcomer = await daemon.humanClient("newcomer");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => expectOk(newcomer.get("/accounts/me"))),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  // [S2.4-lazy]
  it("creates the account on any first call, such as POST /handles", async () => {
    const maker = await daemon.humanClient("maker");
    const { account_id } = await expectOk(maker.post("/handles", { slug: "first-act" }), 201);
    expect((await expectOk(maker.get("/accounts/me"))).id).toBe(account_id);
  });

  // [D10-account] [D10-email-changes]
  it("returns the same account with a new e-mail, and another account for another subject", async () => {
    const tokenOf = (sub: string, email: string) => daemon.issuer.token({ claims: { sub, email } });
    const first = await expectOk(
      daemon.client(await tokenOf("mover", "old@example.com")).get("/accounts/me"),
    );
    const moved = await expectOk(
      daemon.client(await tokenOf("mover", "new@example.com")).get("/accounts/me"),
    );
    const other = await expectOk(
      daemon.client(await tokenOf("taker", "old@example.com")).get("/accounts/me"),
    );
    expect(moved).toEqual({ ...first, email: "new@example.com" });
    expect(other.id).not.toBe(first.id);
  });
});

describe("POST /handles", () => {
  // [S1-humans-own] [S4.2-handles-create] [S2.5-handle-fields] [S2.5-discoverable-default]
  it("returns the handle with its defaults", async () => {
    const account = await expectOk(human.get("/accounts/me"));
    expect(await expectOk(human.post("/handles", { slug: "defaults" }), 201)).toEqual({
      id: expect.stringMatching(UUID),
      slug: "defaults",
      account_id: account.id,
      display_name: null,
      bio: null,
      tags: [],
      discoverable: false,
      contact_policy: "open",
      inbox_rule: { allow_text: true, accepted_schemas: [], votable: false },
      delivery_receipts: true,
      space_notices: "all",
      suspended: false,
      operator: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  // [S4.2-handles-create]
  it("accepts every documented field", async () => {
    const fields = {
      slug: "all-fields",
      display_name: "All",
      bio: null,
      tags: ["one"],
      contact_policy: "contacts_only",
      inbox_rule: { allow_text: false, accepted_schemas: [], votable: true, inline_schema: {} },
      discoverable: true,
    };
    expect(await expectOk(human.post("/handles", fields), 201)).toMatchObject(fields);
  });

  // [S4.2-handles-create] [S2.5-no-operator]
  it.each(["operator", "is_operator", "id", "account_id", "created_at", "color"])(
    "rejects the field %s",
    async (field) => {
      const { errors } = await expectRefused(
        human.post("/handles", { slug: "extra", [field]: true }),
        "VALIDATION_ERROR",
      );
      expect(JSON.stringify(errors)).toContain(field);
      expect(await slugs(human)).not.toContain("extra");
    },
  );

  // [D1-bare-input] [S2.5-slug-pattern]
  it.each(["ab", "a".repeat(33), "Upper", "under_score", "@alice", "#ops", "sp ace", "", "é-é-é", "abc\n"])(
    "rejects the slug %j",
    async (slug) => {
      await expectRefused(human.post("/handles", { slug }), "VALIDATION_ERROR");
    },
  );

  // [S2.5-slug-pattern]
  it.each(["abc", "a".repeat(32), "---", "0-9"])("accepts the slug %j", async (slug) => {
    expect((await expectOk(human.post("/handles", { slug }), 201)).slug).toBe(slug);
  });

  // [D1-reserved-slugs] [S4.2-reserved-slug]
  it.each(["wireroom", "my-wireroom-bot", "wirerooms"])("rejects the reserved slug %s", async (slug) => {
    await expectRefused(human.post("/handles", { slug }), "VALIDATION_ERROR");
    const agent = await daemon.createAgent(`r-${slug.length}`);
    await expectRefused(agent.post("/spaces", { slug, visibility: "public" }), "VALIDATION_ERROR");
  });

  // [D2-slug-taken]
  it("creates a slug once for many concurrent requests", async () => {
    const humans = await Promise.all(Array.from({ length: 8 }, (_, n) => daemon.humanClient(`racer-${n}`)));
    const replies = await Promise.all(humans.map((racer) => racer.post("/handles", { slug: "the-one" })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(7);
    await expectRefused(human.post("/handles", { slug: "the-one" }), "VALIDATION_ERROR");
  });

  // [D6-name-spaces]
  it("accepts the slug of an existing space", async () => {
    const agent = await daemon.createAgent("twin-name");
    await createSpace(agent, "twin-name");
    await createSpace(agent, "space-first");
    await expectOk(human.post("/handles", { slug: "space-first" }), 201);
  });

  // [S1-humans-own]
  it("does not create an API key", async () => {
    const { id } = await expectOk(human.post("/handles", { slug: "keyless" }), 201);
    const { keys } = await expectOk(human.get("/keys"));
    expect(keys.filter((key: { handle_id: string }) => key.handle_id === id)).toEqual([]);
  });
});

describe("GET /handles", () => {
  // [S4.2-handles-list]
  it("lists only the caller's handles, in the order of creation", async () => {
    const owner = await daemon.humanClient("collector");
    expect(await expectOk(owner.get("/handles"))).toEqual({ handles: [], next_cursor: null });
    const made = [];
    for (const slug of ["mine-c", "mine-a", "mine-b"])
      made.push(await expectOk(owner.post("/handles", { slug }), 201));
    expect(await expectOk(owner.get("/handles"))).toEqual({ handles: made, next_cursor: null });
    expect(await readAllPages(owner, "/handles", "handles", 2)).toEqual(made);
    expect(await slugs(human)).not.toContain("mine-a");
  });
});

async function slugs(owner: Client): Promise<string[]> {
  return (await expectOk(owner.get("/handles"))).handles.map((handle: { slug: string }) => handle.slug);
}
