import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, registerSchema, sendWire } from "../harness/api-helpers.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { slowSchema } from "../service/slow-schema.js";

const { daemon, alice } = await daemonFixture(["alice"], {
  args: [...NO_LIMITS, "--limit", "wires_per_minute=60"],
});

/** Returns a schema of 26 KB whose patterns take seconds to compile. */
function slowToCompile(n: number): object {
  const patterns = Array.from({ length: 650 }, (_, i) => [`p${i}`, { pattern: `^\\p{L}{0,900}${n}x${i}$` }]);
  return { properties: Object.fromEntries(patterns) };
}

/** Counts the promises that have settled. */
function countSettled(work: readonly Promise<unknown>[]): () => number {
  let settled = 0;
  for (const each of work) each.catch(() => undefined).finally(() => settled++);
  return () => settled;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("while one account has many expensive schemas checked", () => {
  const attack: Promise<{ status: number }>[] = [];
  let settled = () => 0;

  beforeAll(async () => {
    const mallory = await daemon.createAgent("mallory");
    for (let n = 0; n < 60; n++) await sendWire(mallory, "@mallory");
    const rule = (n: number) => ({ allow_text: true, inline_schema: slowToCompile(n) });
    attack.push(
      ...Array.from({ length: 15 }, (_, n) =>
        mallory.post("/wires", { to: "@mallory", text: "again", reply_rule: rule(n) }),
      ),
    );
    settled = countSettled(attack);
    await sleep(300);
  });

  it("a stranger registers a schema without waiting for them [D7-fair]", async () => {
    for (let n = 0; n < 5; n++) {
      await expectOk(alice.post("/schemas", { subject: "@alice/any", json_schema: { type: "object" } }), 201);
    }
    expect(settled()).toBeLessThan(5);
  });

  it("a stranger has two versions of a schema compared [D7-fair]", async () => {
    const version = (maxLength: number) =>
      alice.post("/schemas", { subject: "@alice/grows", compat: "backward", json_schema: { maxLength } });
    await expectOk(version(10), 201);
    await expectOk(version(20), 201);
    await expectRefused(version(5), "VALIDATION_ERROR");
    expect(settled()).toBeLessThan(8);
  });

  it("a stranger posts under a schema with a pattern [D7-fair]", async () => {
    const ref = await registerSchema(alice, "code", { type: "string", pattern: "^[A-Z]{3}$" });
    await createSpace(alice, "codes", { root_rule: { allow_text: false, accepted_schemas: [ref] } });
    for (let n = 0; n < 5; n++) await sendWire(alice, "#codes", { payload: "ABC" });
    expect(settled()).toBeLessThan(10);
  });
});

describe("while one account posts under many slow rules", () => {
  it("a stranger's checked post does not wait for them [D7-fair]", async () => {
    const mallet = await daemon.createAgent("mallet");
    const roots: { id: string }[] = [];
    for (let n = 0; n < 16; n++) {
      const inline_schema = { ...slowSchema("").document, title: `rule ${n}` };
      roots.push(
        await sendWire(mallet, "@mallet", { text: "x", reply_rule: { allow_text: true, inline_schema } }),
      );
    }
    const ref = await registerSchema(alice, "tag", { type: "string", pattern: "^[a-z]{3}$" });
    await createSpace(alice, "tags", { root_rule: { allow_text: false, accepted_schemas: [ref] } });
    await sendWire(alice, "#tags", { payload: "abc" });

    const attack = roots.map(({ id }) =>
      mallet.post("/wires", { to: "@mallet", reply_to: id, payload: { a: 1 } }),
    );
    const settled = countSettled(attack);
    await sleep(50);
    for (let n = 0; n < 3; n++) await sendWire(alice, "#tags", { payload: "abc" });
    expect(settled()).toBeLessThan(8);
    for (const { status } of await Promise.all(attack)) expect([422, 429]).toContain(status);
  });
});
