import { describe, expect, it } from "vitest";
import { NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";

const { alice, bob } = await hostedFixture(["alice", "bob"], { args: NO_LIMITS });

describe("the message of a VALIDATION_ERROR", () => {
  it.each([
    ["/wires", { to: "Bob!", text: "x" }, "/to: must be a handle or a space, such as @alice or #ops"],
    ["/wires", { to: "bob", text: "" }, "/text: must not be empty"],
    ["/wires", { to: "bob", text: "x".repeat(8_193) }, "/text: must have at most 8192 characters"],
    ["/wires", { to: 7, text: "x" }, "/to: must be a string"],
    ["/spaces", { slug: "My Room", visibility: "public" }, "/slug: must be 3 to 32 lower-case letters"],
    ["/spaces", { slug: "#room", visibility: "public" }, "digits or hyphens, without @ or #"],
    [
      "/spaces",
      { slug: "room", visibility: "public", tags: Array(11).fill("x") },
      "/tags: must have at most 10 items",
    ],
    ["/schemas", { subject: "price", json_schema: {} }, "/subject: must be a handle and a name"],
  ])("states the expected value: POST %s %j", async (path, body, message) => {
    expect(expectError(await alice.post(path, body), "VALIDATION_ERROR").message).toContain(message);
  });

  it("states the expected value of a query parameter", async () => {
    const { message } = expectError(await alice.get("/inbox?limit=101"), "VALIDATION_ERROR");
    expect(message).toBe("/limit: must be at most 100");
  });
});

describe("the message of a refusal", () => {
  it("distinguishes a taken slug from the caller's own slug", async () => {
    const own = await alice.owner.post("/handles", { slug: "alice" });
    expect(expectError(own, "VALIDATION_ERROR").message).toContain("@alice already exists and is yours");
    const taken = await alice.owner.post("/handles", { slug: "bob" });
    expect(expectError(taken, "VALIDATION_ERROR").message).toContain("@bob is taken");
    await alice.owner.post("/handles", { slug: "former" });
    await alice.owner.delete("/handles/former");
    const retired = await alice.owner.post("/handles", { slug: "former" });
    expect(expectError(retired, "VALIDATION_ERROR").message).toContain("@former is retired");
  });

  it("names the caller and its role in a space that it may not change", async () => {
    await alice.post("/spaces", { slug: "ideas", visibility: "public" });
    await alice.put("/spaces/ideas", { members: [{ handle: "bob", role: "reader" }] });
    const settings = await bob.put("/spaces/ideas", { description: "x" });
    expect(expectError(settings, "FORBIDDEN").message).toBe(
      "@bob is a reader of this space; only its owner may change its settings or transfer it",
    );
    const members = await bob.put("/spaces/ideas", { members: [{ handle: "bob", role: "mod" }] });
    expect(expectError(members, "FORBIDDEN").message).toBe(
      "@bob is a reader of this space; only its owner and mods may change its members",
    );
  });
});
