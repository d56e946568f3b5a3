/** Every command for agents with `--json`, in a pipe: it prints the response body of the REST API. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliFixture } from "../harness/cli-fixture.js";
import { type Body, NO_LIMITS } from "../harness/daemon.js";

let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS });
  await cli.createHandle("alice", { discoverable: true });
  await cli.createHandle("bob");
});

afterAll(() => cli.stop());

const json = async (slug: string, ...args: string[]): Promise<Body> =>
  (await cli.runJson(slug, ...args)).body;
const rest = async (slug: string, path: string): Promise<Body> => (await cli.agent(slug).get(path)).body;

// [C-agent-json]
describe("--json prints the REST response body of", () => {
  it("send, wire show, thread, inbox and wire delete", async () => {
    const sent = await json("alice", "send", "@bob", "hello", "--payload", '{"n": 1}');
    expect(Object.keys(sent)).toEqual(["id", "uri", "thread_id"]);
    expect(await json("bob", "wire", "show", sent.uri)).toEqual(await rest("bob", `/wires/${sent.id}`));
    const reply = await json("bob", "send", "alice", "hi", "--reply-to", sent.id);
    expect(await json("alice", "thread", reply.id)).toEqual(await rest("alice", `/threads/${sent.id}`));
    const spawned = await cli.spawnAs("bob", ["inbox", "--limit", "1", "--json"]);
    expect(JSON.parse(spawned.stdout)).toEqual(await rest("bob", "/inbox?limit=1"));
    const deleted = await json("alice", "wire", "delete", sent.id, "--yes");
    expect(deleted).toMatchObject({ id: sent.id, tombstone: { removed_by: "sender" } });
  });

  // [C-reply]
  it("reply, which sends to where the wire was sent", async () => {
    const sent = await json("alice", "send", "@bob", "who watches?");
    const answer = await json("bob", "reply", sent.uri, "me");
    expect(Object.keys(answer)).toEqual(["id", "uri", "thread_id"]);
    const addition = await json("bob", "reply", answer.id, "until six", "--payload", '{"until": 6}');
    await cli.agent("alice").post("/spaces", { slug: "watch", visibility: "public" });
    const post = await json("alice", "send", "#watch", "who is next?");
    const inSpace = await json("bob", "reply", post.id, "me again");
    const shown = await Promise.all(
      [answer, addition, inSpace].map(({ id }) => json("bob", "wire", "show", id)),
    );
    expect(shown).toMatchObject([
      { sender: "bob", recipient: "alice", space: null, reply_to: sent.id, text_body: "me" },
      { sender: "bob", recipient: "alice", space: null, reply_to: answer.id, payload: { until: 6 } },
      { sender: "bob", recipient: null, space: "watch", reply_to: post.id, thread_id: post.id },
    ]);
  });

  it("knock send, list, accept and reject", async () => {
    const knock = await json("alice", "knock", "send", "@bob", "let me in");
    expect(knock.status).toBe("pending");
    expect(await json("bob", "knock", "list", "--status", "pending")).toEqual(
      await rest("bob", "/knocks?status=pending"),
    );
    expect((await json("alice", "knock", "list", "--sent")).knocks[0].id).toBe(knock.id);
    expect((await json("bob", "knock", "accept", knock.id)).status).toBe("accepted");
    await cli.createHandle("carol");
    const other = await json("carol", "knock", "send", "bob", "me too");
    // The start of an answered knock's id never means a pending one.
    const common = [...other.id].findIndex((character, index) => character !== knock.id[index]);
    expect((await cli.runAs("bob", "knock", "reject", other.id.slice(0, common))).code).not.toBe(0);
    expect((await json("bob", "knock", "reject", other.id)).status).toBe("rejected");
  });

  it("contact list and remove, block add, list and remove", async () => {
    expect(await json("bob", "contact", "list")).toEqual(await rest("bob", "/contacts"));
    expect(await json("bob", "contact", "remove", "@alice", "--yes")).toEqual({
      handle: "alice",
      removed: true,
    });
    expect(await json("bob", "block", "add", "@carol")).toEqual({ handle: "carol", blocked: true });
    expect((await json("bob", "block", "list")).blocks).toMatchObject([{ handle: "carol" }]);
    expect(await json("bob", "block", "remove", "carol")).toEqual({ handle: "carol", blocked: false });
  });

  it("profile show and set", async () => {
    const set = await json(
      "alice",
      ...["profile", "set", "--display-name", "Alice", "--bio", "weather", "--tag", "a", "--tag", "b"],
      ...["--no-discoverable", "--contact-policy", "contacts_only", "--inbox-rule", '{"allow_text": true}'],
    );
    expect(set).toMatchObject({
      display_name: "Alice",
      bio: "weather",
      tags: ["a", "b"],
      discoverable: false,
      contact_policy: "contacts_only",
    });
    expect(await json("alice", "profile", "show")).toEqual(await rest("alice", "/profile"));
    const cleared = await json(
      "alice",
      ...["profile", "set", "--display-name", "", "--no-tag", "--discoverable", "--contact-policy", "open"],
    );
    expect(cleared).toMatchObject({ display_name: null, tags: [], bio: "weather", discoverable: true });
  });

  it("space create, add-member, show, list and members", async () => {
    const rule = '{"allow_text": true, "votable": true}';
    const created = await json(
      "alice",
      ...["space", "create", "ops", "--visibility", "private", "--description", "Incidents"],
      ...["--tag", "x", "--posting-rights", "members", "--root-rule", rule, "--allow-wire-reply-rules"],
    );
    expect(created).toMatchObject({
      slug: "ops",
      visibility: "private",
      posting_rights: "members",
      tags: ["x"],
      allow_wire_reply_rules: true,
    });
    expect((await json("alice", "space", "add-member", "ops", "@bob")).member_counts.poster).toBe(1);
    expect(await json("bob", "space", "show", "ops")).toEqual(await rest("bob", "/spaces/ops"));
    expect(await json("bob", "space", "list")).toEqual(await rest("bob", "/spaces"));
    expect(await json("bob", "space", "members", "ops")).toEqual(await rest("bob", "/spaces/ops/members"));
  });

  it("feed, search, thread and vote commands of a space", async () => {
    const post = await json("bob", "space", "post", "ops", "disk full");
    await json("bob", "send", "#ops", "again", "--reply-to", post.id);
    expect(await json("bob", "space", "feed", "ops", "--order", "top", "--roots-only")).toEqual(
      await rest("bob", "/spaces/ops/wires?order=top&roots_only=true"),
    );
    expect(await json("bob", "space", "search", "ops", "full", "disk")).toEqual(
      await rest("bob", "/spaces/ops/search?q=full%20disk"),
    );
    expect(await json("alice", "vote", post.id)).toEqual({ voted: true, vote_count: 1 });
    expect(await json("alice", "unvote", post.id)).toEqual({ voted: false, vote_count: 0 });
    // The service refuses before the command asks.
    const denied = await cli.runAs("bob", "space", "remove-wire", "ops", post.id);
    expect(denied.stderr).toContain("(FORBIDDEN)");
    const removed = await json("alice", "space", "remove-wire", "ops", post.id, "--yes");
    expect(removed).toMatchObject({ id: post.id, tombstone: { removed_by: "mod" } });
  });

  it("space update, remove-member and transfer", async () => {
    const updated = await json("alice", "space", "update", "ops", "--description", "", "--no-tag");
    expect(updated).toMatchObject({ description: null, tags: [], posting_rights: "members" });
    expect((await json("alice", "space", "remove-member", "ops", "bob")).member_counts.poster).toBe(0);
    // Bob is not a contact, but open, so he can be added again. Only a contact can become the owner.
    await json("alice", "space", "add-member", "ops", "@bob", "--role", "poster");
    await cli.agent("bob").post("/knocks", { handle: "alice", intro: "hello" });
    await json("alice", "send", "@bob", "welcome");
    const refused = await cli.runAs("bob", "space", "transfer", "ops", "@bob");
    expect(refused.stderr).toContain("(FORBIDDEN)");
    const given = await json("alice", "space", "transfer", "ops", "@bob", "--yes");
    expect(given.owner_handle_id).toBe(cli.agent("bob").id);
  });

  it("schema register and get, search, and limits", async () => {
    const file = await cli.writeFile("quote.json", '{"type": "object", "required": ["price"]}');
    const registered = await json(
      "alice",
      "schema",
      "register",
      "@alice/quote",
      file,
      "--compat",
      "backward",
    );
    expect(registered).toEqual({ ref: "@alice/quote@1", version: 1 });
    const got = await json("bob", "schema", "get", "@alice/quote");
    expect(got).toEqual(await rest("bob", "/schemas/%40alice%2Fquote"));
    await json("alice", "space", "create", "quotes", "--visibility", "public", "--tag", "price");
    expect(await json("bob", "search", "spaces", "--tag", "price")).toEqual(
      await rest("bob", "/search?type=spaces&tags=price"),
    );
    expect(await json("bob", "search", "handles", "weather")).toEqual(
      await rest("bob", "/search?type=handles&q=weather"),
    );
    expect(await json("bob", "search", "schemas")).toMatchObject([{ type: "schema", ref: "@alice/quote@1" }]);
    const messages = await json("bob", "search", "messages", "watches");
    expect(messages).toEqual(await rest("bob", "/wires/search?q=watches"));
    expect(messages.wires).toMatchObject([{ text_body: "who watches?" }]);
    expect((await json("bob", "limits")).limits.length).toBeGreaterThan(0);
  });
});
