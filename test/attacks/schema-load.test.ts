import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, registerSchema, sendWire } from "../harness/api-helpers.js";
import { type JsonResponse, NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { slowSchema } from "../service/slow-schema.js";

const { daemon, alice, mallet, mallory } = await daemonFixture(["alice", "mallet", "mallory"], {
  args: [...NO_LIMITS, "--limit", "wires_per_minute=60"],
});

let names = 0;
/** Returns a new name, so that a test that runs once more finds nothing of its first try. */
const newName = (base: string) => `${base}-${++names}`;

/** Returns a schema of 26 KB whose patterns take seconds to compile. */
function slowToCompile(n: number): object {
  const patterns = Array.from({ length: 650 }, (_, i) => [`p${i}`, { pattern: `^\\p{L}{0,900}${n}x${i}$` }]);
  return { properties: Object.fromEntries(patterns) };
}

interface Ended {
  request_id: string;
  caller: string;
  /** When the request has ended, and how long it took before, in milliseconds. */
  at: number;
  ms: number;
}

/**
 * Returns the requests that have ended. The daemon has measured them, because the process of the tests may be
 * slow.
 */
function ended(): Ended[] {
  const lines = daemon.log().trimEnd().split("\n");
  return lines.flatMap((line) => {
    const { msg, time, ...rest } = JSON.parse(line);
    return msg === "request" ? [{ ...rest, at: Date.parse(time) }] : [];
  });
}

async function unfinishedJobs(): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(/^wireroom_validation_jobs (\S+)$/m.exec(text)?.[1]);
}

/** Concurrent requests of one account that keep the worker threads busy. */
class Attack {
  private readonly startedAt = Date.now();

  private constructor(
    private readonly caller: string,
    readonly requests: readonly Promise<JsonResponse>[],
  ) {}

  /** Begins an attack, and waits until most of its schemas wait for a thread. */
  static async begin(caller: string, requests: () => Promise<JsonResponse>[]): Promise<Attack> {
    const before = await unfinishedJobs();
    const attack = new Attack(caller, requests());
    for (const each of attack.requests) each.catch(() => undefined);
    while ((await unfinishedJobs()) - before < attack.requests.length / 2) await sleep(20);
    return attack;
  }

  /** Expects that the attack goes on, and that the requests of alice have not waited for most of it. */
  async expectUnnoticed(): Promise<void> {
    const { headers } = await alice.get("/profile");
    const last = headers.get("x-request-id");
    await expect.poll(() => ended().some(({ request_id }) => request_id === last)).toBe(true);
    const since = ended().filter(({ at }) => at > this.startedAt);
    const own = since.filter(({ caller }) => caller === "alice");
    const attacks = since.filter(({ caller }) => caller === this.caller);
    const during = attacks.filter((each) => own.some(({ at, ms }) => at - ms < each.at && each.at <= at));
    expect(attacks.length).toBeLessThan(this.requests.length);
    expect(during.length).toBeLessThan(this.requests.length / 2);
  }
}

describe("while one account posts under many slow rules", () => {
  // [D7-fair]
  it("a stranger's checked post does not wait for them", async () => {
    const roots: { id: string }[] = [];
    for (let n = 0; n < 16; n++) {
      const inline_schema = { ...slowSchema("").document, title: newName("rule") };
      roots.push(
        await sendWire(mallet, "@mallet", { text: "x", reply_rule: { allow_text: true, inline_schema } }),
      );
    }
    const ref = await registerSchema(alice, newName("tag"), { type: "string", pattern: "^[a-z]{3}$" });
    const tags = newName("tags");
    await createSpace(alice, tags, { root_rule: { allow_text: false, accepted_schemas: [ref] } });
    await sendWire(alice, `#${tags}`, { payload: "abc" });

    const attack = await Attack.begin("mallet", () =>
      roots.map(({ id }) => mallet.post("/wires", { to: "@mallet", reply_to: id, payload: { a: 1 } })),
    );
    for (let n = 0; n < 3; n++) await sendWire(alice, `#${tags}`, { payload: "abc" });
    await attack.expectUnnoticed();
    for (const { status } of await Promise.all(attack.requests)) expect([422, 429]).toContain(status);
  });
});

// Comes last, because its attack goes on after its tests.
describe("while one account has many expensive schemas checked", () => {
  let attack: Attack;

  beforeAll(async () => {
    for (let n = 0; n < 60; n++) await sendWire(mallory, "@mallory");
    const rule = (n: number) => ({ allow_text: true, inline_schema: slowToCompile(n) });
    attack = await Attack.begin("mallory", () =>
      Array.from({ length: 10 }, (_, n) =>
        mallory.post("/wires", { to: "@mallory", text: "again", reply_rule: rule(n) }),
      ),
    );
  });

  // [D7-fair]
  it("a stranger registers a schema without waiting for them", async () => {
    for (let n = 0; n < 5; n++) {
      await expectOk(alice.post("/schemas", { subject: "@alice/any", json_schema: { type: "object" } }), 201);
    }
    await attack.expectUnnoticed();
  });

  // [D7-fair]
  it("a stranger has two versions of a schema compared", async () => {
    const subject = `@alice/${newName("grows")}`;
    const version = (maxLength: number) =>
      alice.post("/schemas", { subject, compat: "backward", json_schema: { maxLength } });
    await expectOk(version(10), 201);
    await expectOk(version(20), 201);
    await expectRefused(version(5), "VALIDATION_ERROR");
    await attack.expectUnnoticed();
  });

  // [D7-fair]
  it("a stranger posts under a schema with a pattern", async () => {
    const ref = await registerSchema(alice, newName("code"), { type: "string", pattern: "^[A-Z]{3}$" });
    const codes = newName("codes");
    await createSpace(alice, codes, { root_rule: { allow_text: false, accepted_schemas: [ref] } });
    for (let n = 0; n < 5; n++) await sendWire(alice, `#${codes}`, { payload: "ABC" });
    await attack.expectUnnoticed();
  });
});
