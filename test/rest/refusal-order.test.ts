import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, schemaRequiring, sendWire } from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

/** Each test sends a wire that violates several rules at once. */
const { daemon, owner, spender, outsider } = await hostedFixture(["owner", "spender", "outsider"], {
  args: ["--limit", "wires_per_minute=1", "--limit", "knocks_per_hour=1"],
});

const STRICT = { allow_text: false, inline_schema: schemaRequiring({ n: "number" }) };

beforeAll(async () => {
  await daemon.createAgent("closed", { contact_policy: "contacts_only", inbox_rule: STRICT });
  await daemon.createAgent("strict", { inbox_rule: STRICT });
  await createSpace(owner, "mods-only", { posting_rights: "mods", root_rule: STRICT });
  await createSpace(owner, "secret", { visibility: "private" });
  await sendWire(spender, "owner");
});

const BAD = { text: "" };
const POOR = { text: "no text please", payload: {} };

describe("the error with the highest precedence", () => {
  // [D4-refusal-order]
  it("is 401 before 400", async () => {
    const nobody = daemon.client(`wr_${"0".repeat(43)}`);
    await expectRefused(nobody.post("/wires", { to: "no-such-handle", ...BAD }), "UNAUTHORIZED");
    await expectRefused(nobody.post("/wires", "{"), "UNAUTHORIZED");
    await expectRefused(daemon.client().post("/knocks", { nonsense: true }), "UNAUTHORIZED");
  });

  // [D4-refusal-order]
  it("is 400 before 429", async () => {
    await expectRefused(spender.post("/wires", { to: "no-such-handle", ...BAD }), "VALIDATION_ERROR");
    await expectRefused(spender.post("/wires", "{"), "VALIDATION_ERROR");
    const reply_rule = { allow_text: true, accepted_schemas: ["@nobody/nothing"] };
    await expectRefused(spender.post("/wires", { to: "owner", text: "x", reply_rule }), "VALIDATION_ERROR");
    const dm = (await expectOk(owner.get("/inbox"))).wires[0];
    await expectRefused(
      spender.post("/wires", { to: "#mods-only", text: "x", reply_to: dm.id }),
      "VALIDATION_ERROR",
    );
  });

  // [D4-refusal-order]
  it.each(["no-such-handle", "#no-such-space", "#secret", "closed", "#mods-only", "strict"])(
    "is 429 before the error for %s",
    async (to) => {
      await expectRefused(spender.post("/wires", { to, ...POOR }), "RATE_LIMITED");
      await expectRefused(spender.post("/wires", { to, payload: {}, reply_to: "nothing" }), "RATE_LIMITED");
    },
  );

  // [D4-refusal-order]
  it("is 404 before KNOCK_REQUIRED and POSTING_DENIED", async () => {
    for (const to of ["closed", "#mods-only", "strict"]) {
      await expectRefused(outsider.post("/wires", { to, ...POOR, reply_to: "nothing" }), "NOT_FOUND");
    }
    await expectRefused(outsider.post("/wires", { to: "#secret", ...POOR }), "NOT_FOUND");
  });

  // [D4-refusal-order]
  it("of a list of the account is 400 before 404", async () => {
    for (const path of ["/approvals?wait=0&status=approved&", "/audit?since=2016-12-31T23:59:60Z&"])
      await expectRefused(owner.owner.get(`${path}handle=no-such-handle`), "VALIDATION_ERROR");
    for (const path of ["/approvals?", "/audit?"])
      await expectRefused(owner.owner.get(`${path}handle=no-such-handle`), "NOT_FOUND");
  });

  // [D4-refusal-order]
  it("is KNOCK_REQUIRED before POSTING_DENIED and 422", async () => {
    await expectRefused(outsider.post("/wires", { to: "closed", ...POOR }), "KNOCK_REQUIRED");
    await expectRefused(outsider.post("/wires", { to: "closed", payload: {} }), "KNOCK_REQUIRED");
  });

  // [D4-refusal-order]
  it("is POSTING_DENIED before 422", async () => {
    await expectRefused(outsider.post("/wires", { to: "#mods-only", payload: {} }), "POSTING_DENIED");
    const { rule_source } = await expectRefused(
      outsider.post("/wires", { to: "strict", ...POOR }),
      "POSTING_DENIED",
    );
    expect(rule_source).toBe("inbox");
    await expectRefused(outsider.post("/wires", { to: "strict", payload: {} }), "SCHEMA_VALIDATION_FAILED");
  });

  // [D4-refusal-order]
  it("of a knock is 400, then 429, then 404, then 403", async () => {
    await expectOk(owner.put("/blocks/outsider"));
    await expectRefused(outsider.post("/knocks", { handle: "owner", intro: "hi" }), "FORBIDDEN");
    await expectOk(outsider.post("/knocks", { handle: "closed", intro: "hi" }), 201);
    await expectRefused(outsider.post("/knocks", { handle: "outsider", intro: "hi" }), "VALIDATION_ERROR");
    await expectRefused(outsider.post("/knocks", { handle: "no-such-handle", intro: "hi" }), "RATE_LIMITED");
    await expectRefused(outsider.post("/knocks", { handle: "owner", intro: "hi" }), "RATE_LIMITED");
    await expectRefused(spender.post("/knocks", { handle: "no-such-handle", intro: "hi" }), "NOT_FOUND");
  });

  // [D4-refusal-order]
  it("has no side effect: a rejected post is not counted and not delivered", async () => {
    await expectOk(owner.delete("/blocks/outsider"));
    await sendWire(outsider, "owner", { text: "the first that is stored" });
    const { wires } = await expectOk(owner.get("/inbox"));
    expect(wires.map((wire: { text_body: string }) => wire.text_body)).toEqual([
      "hello",
      "the first that is stored",
    ]);
  });
});
