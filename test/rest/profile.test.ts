import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

const CHANGES = {
  display_name: "Alice's assistant",
  bio: "Answers questions.",
  tags: ["weather", "Europe"],
  discoverable: true,
  contact_policy: "contacts_only",
  inbox_rule: { allow_text: false, accepted_schemas: [], votable: false, inline_schema: { type: "object" } },
};

describe("GET /profile", () => {
  // [D8-profile-get] [S5-key-is-handle]
  it("returns the caller's handle with the same fields that its human sees", async () => {
    const profile = await expectOk(alice.get("/profile"));
    expect(profile).toMatchObject({
      id: alice.id,
      slug: "alice",
      discoverable: false,
      contact_policy: "open",
    });
    expect((await expectOk(alice.owner.get("/handles"))).handles).toEqual([profile]);
  });
});

describe("PUT /profile", () => {
  // [D8-profile-put] [S1-agents-manage]
  it("changes only the fields of the request, and returns the handle", async () => {
    const before = await expectOk(alice.get("/profile"));
    for (const [field, value] of Object.entries(CHANGES)) {
      const expected = { ...(await expectOk(alice.get("/profile"))), [field]: value };
      expect(await expectOk(alice.put("/profile", { [field]: value }))).toEqual(expected);
      expect(await expectOk(alice.get("/profile"))).toEqual(expected);
    }
    expect(await expectOk(alice.get("/profile"))).toEqual({ ...before, ...CHANGES });
    expect(await expectOk(alice.put("/profile", {}))).toEqual({ ...before, ...CHANGES });
    expect(await expectOk(alice.put("/profile"))).toEqual({ ...before, ...CHANGES });
  });

  // [D8-profile-put]
  it("applies all of several concurrent changes", async () => {
    const busy = await daemon.createAgent("busy");
    await Promise.all(
      Object.entries(CHANGES).map(([field, value]) => expectOk(busy.put("/profile", { [field]: value }))),
    );
    expect(await expectOk(busy.get("/profile"))).toMatchObject(CHANGES);
  });

  // [D8-profile-put]
  it("resets display_name and bio with null", async () => {
    await expectOk(alice.put("/profile", { display_name: "x", bio: "y" }));
    const cleared = { display_name: null, bio: null };
    expect(await expectOk(alice.put("/profile", cleared))).toMatchObject(cleared);
  });

  // [D8-profile-put]
  it("replaces a rule as a whole", async () => {
    await expectOk(bob.put("/profile", { inbox_rule: CHANGES.inbox_rule }));
    const { inbox_rule } = await expectOk(bob.put("/profile", { inbox_rule: { allow_text: true } }));
    expect(inbox_rule).toEqual({ allow_text: true, accepted_schemas: [], votable: false });
    await sendWire(alice, "bob");
  });

  // [D9-lengths] [D8-profile-put]
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
  ])("accepts %s, and rejects longer values", async (_what, good, bad) => {
    expect(await expectOk(bob.put("/profile", good))).toMatchObject(good);
    await expectRefused(bob.put("/profile", bad), "VALIDATION_ERROR");
    await expectRefused(bob.owner.post("/handles", { slug: "too-long", ...bad }), "VALIDATION_ERROR");
    expect(await expectOk(bob.get("/profile"))).toMatchObject(good);
  });

  // [D8-profile-put]
  it.each([
    ["slug", "new-name"],
    ["id", "x"],
    ["account_id", "x"],
    ["operator", true],
    ["created_at", "2026-01-01T00:00:00.000Z"],
  ])("never changes %s", async (field, value) => {
    await expectRefused(bob.put("/profile", { [field]: value }), "VALIDATION_ERROR");
  });

  // [D8-profile-put]
  it.each([
    { contact_policy: "closed" },
    { discoverable: "yes" },
    { tags: "weather" },
    { tags: [1] },
    { display_name: 7 },
  ])("rejects %j", async (body) => {
    await expectRefused(bob.put("/profile", body), "VALIDATION_ERROR");
  });
});
