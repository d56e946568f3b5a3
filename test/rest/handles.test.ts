import { beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused } from "../harness/talk.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const { daemon } = await fileDaemon();
let human: Client;

beforeAll(async () => {
  human = await daemon.human("hannah");
});

describe("GET /accounts/me", () => {
  it("answers id and e-mail, the account being made on the first call [S4.2-accounts-me] [S2.4-account-fields] [S2.4-lazy]", async () => {
    const account = await ok(human.get("/accounts/me"));
    expect(account).toEqual({ id: expect.stringMatching(UUID), email: "hannah@example.com" });
    expect(await ok(human.get("/accounts/me"))).toEqual(account);
  });

  it("makes one account of many first calls at once [S2.4-lazy] [D10-account]", async () => {
    const newcomer = await daemon.human("newcomer");
    const answers = await Promise.all(Array.from({ length: 20 }, () => ok(newcomer.get("/accounts/me"))));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  it("makes the account on any first call, such as creating a handle [S2.4-lazy]", async () => {
    const maker = await daemon.human("maker");
    const { account_id } = await ok(maker.post("/handles", { slug: "first-act" }), 201);
    expect((await ok(maker.get("/accounts/me"))).id).toBe(account_id);
  });

  it("is the same account with a new e-mail, and another for another subject [D10-account] [D10-email-changes]", async () => {
    const tokenOf = (sub: string, email: string) => daemon.issuer.token({ claims: { sub, email } });
    const first = await ok(daemon.client(await tokenOf("mover", "old@example.com")).get("/accounts/me"));
    const moved = await ok(daemon.client(await tokenOf("mover", "new@example.com")).get("/accounts/me"));
    const other = await ok(daemon.client(await tokenOf("taker", "old@example.com")).get("/accounts/me"));
    expect(moved).toEqual({ id: first.id, email: "new@example.com" });
    expect(other.id).not.toBe(first.id);
  });
});

describe("POST /handles", () => {
  it("answers the handle with its defaults [S4.2-handles-create] [S2.5-handle-fields] [S2.5-discoverable-default] [S1-humans-own]", async () => {
    const account = await ok(human.get("/accounts/me"));
    expect(await ok(human.post("/handles", { slug: "defaults" }), 201)).toEqual({
      id: expect.stringMatching(UUID),
      slug: "defaults",
      account_id: account.id,
      display_name: null,
      bio: null,
      tags: [],
      discoverable: false,
      contact_policy: "open",
      inbox_rule: { allow_text: true, accepted_schemas: [], votable: false },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("takes every field of the table [S4.2-handles-create]", async () => {
    const fields = {
      slug: "all-fields",
      display_name: "All",
      bio: null,
      tags: ["one"],
      contact_policy: "contacts_only",
      inbox_rule: { allow_text: false, accepted_schemas: [], votable: true, inline_schema: {} },
      discoverable: true,
    };
    expect(await ok(human.post("/handles", fields), 201)).toMatchObject(fields);
  });

  it.each(["operator", "is_operator", "id", "account_id", "created_at", "color"])(
    "accepts no field %s [S4.2-handles-create] [S2.5-no-operator]",
    async (field) => {
      const { errors } = await refused(
        human.post("/handles", { slug: "extra", [field]: true }),
        "VALIDATION_ERROR",
      );
      expect(JSON.stringify(errors)).toContain(field);
      expect(await slugs(human)).not.toContain("extra");
    },
  );

  it.each(["ab", "a".repeat(33), "Upper", "under_score", "@alice", "#ops", "sp ace", "", "é-é-é", "abc\n"])(
    "refuses the slug %j [S2.5-slug-pattern] [D1-bare-input]",
    async (slug) => {
      await refused(human.post("/handles", { slug }), "VALIDATION_ERROR");
    },
  );

  it.each(["abc", "a".repeat(32), "---", "0-9"])("takes the slug %j [S2.5-slug-pattern]", async (slug) => {
    expect((await ok(human.post("/handles", { slug }), 201)).slug).toBe(slug);
  });

  it.each(["wireroom", "my-wireroom-bot", "wirerooms"])(
    "keeps the service's own name for itself: %s [S4.2-reserved-slug] [D1-reserved-slugs]",
    async (slug) => {
      await refused(human.post("/handles", { slug }), "VALIDATION_ERROR");
      const agent = await daemon.agent(`r-${slug.length}`);
      await refused(agent.post("/spaces", { slug, visibility: "public" }), "VALIDATION_ERROR");
    },
  );

  it("gives a slug once, however many ask at once [D2-slug-taken]", async () => {
    const humans = await Promise.all(Array.from({ length: 8 }, (_, n) => daemon.human(`racer-${n}`)));
    const replies = await Promise.all(humans.map((racer) => racer.post("/handles", { slug: "the-one" })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(7);
    await refused(human.post("/handles", { slug: "the-one" }), "VALIDATION_ERROR");
  });

  it("takes the slug of a space: the names are apart [D6-name-spaces]", async () => {
    const agent = await daemon.agent("twin-name");
    await createSpace(agent, "twin-name");
    await createSpace(agent, "space-first");
    await ok(human.post("/handles", { slug: "space-first" }), 201);
  });

  it("gives the handle no key: its human issues one [S1-humans-own]", async () => {
    const { id } = await ok(human.post("/handles", { slug: "keyless" }), 201);
    const { keys } = await ok(human.get("/keys"));
    expect(keys.filter((key: { handle_id: string }) => key.handle_id === id)).toEqual([]);
  });
});

describe("GET /handles", () => {
  it("lists the caller's own, in the order of creation, and no others [S4.2-handles-list]", async () => {
    const owner = await daemon.human("collector");
    expect(await ok(owner.get("/handles"))).toEqual({ handles: [] });
    const made = [];
    for (const slug of ["mine-c", "mine-a", "mine-b"])
      made.push(await ok(owner.post("/handles", { slug }), 201));
    expect(await ok(owner.get("/handles"))).toEqual({ handles: made });
    expect(await slugs(human)).not.toContain("mine-a");
  });
});

async function slugs(owner: Client): Promise<string[]> {
  return (await ok(owner.get("/handles"))).handles.map((handle: { slug: string }) => handle.slug);
}
