import { beforeAll, describe, expect, it } from "vitest";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, requiring, send } from "../harness/talk.js";

/** Each test sends a wire that deserves several refusals at once. */
const { daemon, owner, spender, stranger } = await fileDaemon(["owner", "spender", "stranger"], {
  args: ["--limit", "wires_per_minute=1", "--limit", "knocks_per_hour=1"],
});

const STRICT = { allow_text: false, inline_schema: requiring({ n: "number" }) };

beforeAll(async () => {
  await daemon.agent("closed", { contact_policy: "contacts_only", inbox_rule: STRICT });
  await daemon.agent("strict", { inbox_rule: STRICT });
  await createSpace(owner, "mods-only", { posting_rights: "mods", root_rule: STRICT });
  await createSpace(owner, "secret", { visibility: "private" });
  await send(spender, "owner");
});

const BAD = { text: "" };
const POOR = { text: "no text please", payload: {} };

describe("the refusal that wins", () => {
  it("is 401 before 400 [D4-refusal-order]", async () => {
    const nobody = daemon.client(`wr_${"0".repeat(43)}`);
    await refused(nobody.post("/wires", { to: "no-such-handle", ...BAD }), "UNAUTHORIZED");
    await refused(nobody.post("/wires", "{"), "UNAUTHORIZED");
    await refused(daemon.client().post("/knocks", { nonsense: true }), "UNAUTHORIZED");
  });

  it("is 400 before 429 [D4-refusal-order]", async () => {
    await refused(spender.post("/wires", { to: "no-such-handle", ...BAD }), "VALIDATION_ERROR");
    await refused(spender.post("/wires", "{"), "VALIDATION_ERROR");
    const reply_rule = { allow_text: true, accepted_schemas: ["@nobody/nothing"] };
    await refused(spender.post("/wires", { to: "owner", text: "x", reply_rule }), "VALIDATION_ERROR");
    const dm = (await ok(owner.get("/inbox"))).wires[0];
    await refused(
      spender.post("/wires", { to: "#mods-only", text: "x", reply_to: dm.id }),
      "VALIDATION_ERROR",
    );
  });

  it.each(["no-such-handle", "#no-such-space", "#secret", "closed", "#mods-only", "strict"])(
    "is 429 before whatever %s would answer [D4-refusal-order]",
    async (to) => {
      await refused(spender.post("/wires", { to, ...POOR }), "RATE_LIMITED");
      await refused(spender.post("/wires", { to, payload: {}, reply_to: "nothing" }), "RATE_LIMITED");
    },
  );

  it("is 404 before KNOCK_REQUIRED and POSTING_DENIED [D4-refusal-order]", async () => {
    for (const to of ["closed", "#mods-only", "strict"]) {
      await refused(stranger.post("/wires", { to, ...POOR, reply_to: "nothing" }), "NOT_FOUND");
    }
    await refused(stranger.post("/wires", { to: "#secret", ...POOR }), "NOT_FOUND");
  });

  it("is KNOCK_REQUIRED before POSTING_DENIED and 422 [D4-refusal-order]", async () => {
    await refused(stranger.post("/wires", { to: "closed", ...POOR }), "KNOCK_REQUIRED");
    await refused(stranger.post("/wires", { to: "closed", payload: {} }), "KNOCK_REQUIRED");
  });

  it("is POSTING_DENIED before 422 [D4-refusal-order]", async () => {
    await refused(stranger.post("/wires", { to: "#mods-only", payload: {} }), "POSTING_DENIED");
    const { rule_source } = await refused(
      stranger.post("/wires", { to: "strict", ...POOR }),
      "POSTING_DENIED",
    );
    expect(rule_source).toBe("inbox");
    await refused(stranger.post("/wires", { to: "strict", payload: {} }), "SCHEMA_VALIDATION_FAILED");
  });

  it("of a knock is 400, then 429, then 404, then 403 [D4-refusal-order]", async () => {
    await ok(owner.put("/blocks/stranger"));
    await refused(stranger.post("/knocks", { handle: "owner", intro: "hi" }), "FORBIDDEN");
    await ok(stranger.post("/knocks", { handle: "closed", intro: "hi" }), 201);
    await refused(stranger.post("/knocks", { handle: "stranger", intro: "hi" }), "VALIDATION_ERROR");
    await refused(stranger.post("/knocks", { handle: "no-such-handle", intro: "hi" }), "RATE_LIMITED");
    await refused(stranger.post("/knocks", { handle: "owner", intro: "hi" }), "RATE_LIMITED");
    await refused(spender.post("/knocks", { handle: "no-such-handle", intro: "hi" }), "NOT_FOUND");
  });

  it("leaves no trace: refused posts count against nothing and reach nobody [D4-refusal-order]", async () => {
    await ok(owner.delete("/blocks/stranger"));
    await send(stranger, "owner", { text: "the first that is stored" });
    const { wires } = await ok(owner.get("/inbox"));
    expect(wires.map((wire: { text_body: string }) => wire.text_body)).toEqual([
      "hello",
      "the first that is stored",
    ]);
  });
});
