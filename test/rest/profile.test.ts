import { describe, expect, it } from "vitest";
import { fileDaemon } from "../harness/file-daemon.js";
import { ok, refused, send } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

const CHANGES = {
  display_name: "Alice's assistant",
  bio: "Answers questions.",
  tags: ["weather", "Europe"],
  discoverable: true,
  contact_policy: "contacts_only",
  inbox_rule: { allow_text: false, accepted_schemas: [], votable: false, inline_schema: { type: "object" } },
};

describe("GET /profile", () => {
  it("answers the caller's own handle, as its human sees it [D8-profile-get] [S5-key-is-handle]", async () => {
    const profile = await ok(alice.get("/profile"));
    expect(profile).toMatchObject({
      id: alice.id,
      slug: "alice",
      discoverable: false,
      contact_policy: "open",
    });
    expect((await ok(alice.owner.get("/handles"))).handles).toEqual([profile]);
  });
});

describe("PUT /profile", () => {
  it("changes what is given and nothing else, and answers the handle [D8-profile-put] [S1-agents-manage]", async () => {
    const before = await ok(alice.get("/profile"));
    for (const [field, value] of Object.entries(CHANGES)) {
      const expected = { ...(await ok(alice.get("/profile"))), [field]: value };
      expect(await ok(alice.put("/profile", { [field]: value }))).toEqual(expected);
      expect(await ok(alice.get("/profile"))).toEqual(expected);
    }
    expect(await ok(alice.get("/profile"))).toEqual({ ...before, ...CHANGES });
    expect(await ok(alice.put("/profile", {}))).toEqual({ ...before, ...CHANGES });
    expect(await ok(alice.put("/profile"))).toEqual({ ...before, ...CHANGES });
  });

  it("loses no change of several at once [D8-profile-put]", async () => {
    const busy = await daemon.agent("busy");
    await Promise.all(
      Object.entries(CHANGES).map(([field, value]) => ok(busy.put("/profile", { [field]: value }))),
    );
    expect(await ok(busy.get("/profile"))).toMatchObject(CHANGES);
  });

  it("takes display_name and bio back by null [D8-profile-put]", async () => {
    await ok(alice.put("/profile", { display_name: "x", bio: "y" }));
    const cleared = { display_name: null, bio: null };
    expect(await ok(alice.put("/profile", cleared))).toMatchObject(cleared);
  });

  it("replaces a rule as a whole [D8-profile-put]", async () => {
    await ok(bob.put("/profile", { inbox_rule: CHANGES.inbox_rule }));
    const { inbox_rule } = await ok(bob.put("/profile", { inbox_rule: { allow_text: true } }));
    expect(inbox_rule).toEqual({ allow_text: true, accepted_schemas: [], votable: false });
    await send(alice, "bob");
  });

  it.each([
    [
      "a display name of 100 characters",
      { display_name: "é".repeat(100) },
      { display_name: "é".repeat(101) },
    ],
    ["a bio of 1,000 characters", { bio: "😀".repeat(1_000) }, { bio: "b".repeat(1_001) }],
    ["10 tags", { tags: Array.from("abcdefghij") }, { tags: Array.from("abcdefghijk") }],
    ["tags of 50 characters", { tags: ["t".repeat(50)] }, { tags: ["t".repeat(51)] }],
    ["tags of 1 character", { tags: ["t"] }, { tags: [""] }],
  ])("takes %s, and no more [D9-lengths] [D8-profile-put]", async (_what, good, bad) => {
    expect(await ok(bob.put("/profile", good))).toMatchObject(good);
    await refused(bob.put("/profile", bad), "VALIDATION_ERROR");
    await refused(bob.owner.post("/handles", { slug: "too-long", ...bad }), "VALIDATION_ERROR");
    expect(await ok(bob.get("/profile"))).toMatchObject(good);
  });

  it.each([
    ["slug", "new-name"],
    ["id", "x"],
    ["account_id", "x"],
    ["operator", true],
    ["created_at", "2026-01-01T00:00:00.000Z"],
  ])("never changes %s [D8-profile-put]", async (field, value) => {
    await refused(bob.put("/profile", { [field]: value }), "VALIDATION_ERROR");
  });

  it.each([
    { contact_policy: "closed" },
    { discoverable: "yes" },
    { tags: "weather" },
    { tags: [1] },
    { display_name: 7 },
  ])("refuses %j [D8-profile-put]", async (body) => {
    await refused(bob.put("/profile", body), "VALIDATION_ERROR");
  });
});
