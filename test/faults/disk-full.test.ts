import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonResponse } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";

const PRLIMIT = "/usr/bin/prlimit";
const hasPrlimit = (() => {
  try {
    execFileSync(PRLIMIT, ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

const { daemon, alice } = await daemonFixture(["alice"]);

/** Limits the size of the daemon's files. Writes beyond the limit fail, as on a full disk. */
function limitFiles(bytes: number | "unlimited"): void {
  execFileSync(PRLIMIT, ["--pid", String(daemon.process.pid), `--fsize=${bytes}:`]);
}

/** Limits the write-ahead log of the daemon to `room` more bytes. */
function limitLogSpace(room: number): void {
  const files = readdirSync(daemon.dataDir).filter((name) => name.endsWith("-wal"));
  expect(files).toHaveLength(1);
  limitFiles(statSync(join(daemon.dataDir, files[0]!)).size + room);
}

function expectUnavailable(reply: JsonResponse): void {
  const { retry_after } = expectError(reply, "UNAVAILABLE");
  expect(retry_after).toBeGreaterThanOrEqual(1);
  expect(reply.headers.get("retry-after")).toBe(String(retry_after));
}

const inboxIds = async () =>
  (await alice.get("/inbox?limit=100")).body.wires.map(({ id }: { id: string }) => id);

describe.skipIf(!hasPrlimit)("a full disk", () => {
  // [D2-unavailable] [D2-retry-after]
  it("causes a 503 with retry_after, while reads succeed", async () => {
    const kept = await alice.post("/wires", { to: "alice", text: "before" });
    limitLogSpace(0);
    try {
      expectUnavailable(await alice.post("/wires", { to: "alice", text: "during" }));
      expectUnavailable(await alice.post("/spaces", { slug: "during", visibility: "public" }));
      expectUnavailable(await alice.put("/profile", { bio: "during" }));
      expectUnavailable(await alice.delete(`/wires/${kept.body.id}`));
      expect((await alice.get(`/wires/${kept.body.id}`)).body.text_body).toBe("before");
      expect((await alice.get("/wires/search?q=before")).status).toBe(200);
      expect((await fetch(`${daemon.origin}/healthz`)).status).toBe(200);
    } finally {
      limitFiles("unlimited");
    }
  });

  // [D2-unavailable] [D2-idempotent-once]
  it("leaves no partial write, and the same request succeeds once there is space", async () => {
    const before = await inboxIds();
    const key = { "Idempotency-Key": "full" };
    const wire = { to: "alice", text: "at last" };
    limitLogSpace(0);
    try {
      expectUnavailable(await alice.post("/wires", wire, key));
    } finally {
      limitFiles("unlimited");
    }
    expect(await inboxIds()).toEqual(before);
    expect((await alice.get("/profile")).body.bio).toBeNull();
    const sent = await alice.post("/wires", wire, key);
    expect(sent.status).toBe(201);
    expect((await alice.post("/wires", wire, key)).body).toEqual(sent.body);
    expect(await inboxIds()).toEqual([...before, sent.body.id]);
  });

  // [D2-unavailable] [D12-durable]
  it("during concurrent sends leaves exactly the acknowledged wires, also after a restart", async () => {
    const bob = await daemon.createAgent("bob");
    const acknowledged: string[] = [];
    limitLogSpace(300_000);
    try {
      for (let round = 0; round < 10; round++) {
        const work = Array.from({ length: 30 }, (_, n) =>
          n % 10 === 0
            ? alice.post("/spaces", { slug: `full-${round}-${n}`, visibility: "public" })
            : alice.post("/wires", { to: "bob", text: "x".repeat(n * 100 + 1) }),
        );
        for (const reply of await Promise.all(work)) {
          if (reply.status !== 201) expectUnavailable(reply);
          else if (reply.body.thread_id) acknowledged.push(reply.body.id);
          else acknowledged.push(reply.body.slug);
        }
      }
    } finally {
      limitFiles("unlimited");
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(300);
    const stored = async () => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await bob.get(`/inbox?limit=100${cursor && `&cursor=${cursor}`}`);
        if (body.wires.length === 0) break;
        found.push(...body.wires.map(({ id }: { id: string }) => id));
        cursor = body.next_cursor;
      }
      const spaces = (await alice.get("/spaces?limit=100")).body.spaces;
      return [...found, ...spaces.map(({ slug }: { slug: string }) => slug)].sort();
    };
    expect(await stored()).toEqual(acknowledged.sort());
    expect((await alice.post("/wires", { to: "alice", text: "after" })).status).toBe(201);
    await daemon.kill();
    await daemon.restart();
    expect((await alice.get("/spaces?limit=100")).status).toBe(200);
    expect((await bob.get("/inbox")).body.wires).toEqual([]);
  });
});
