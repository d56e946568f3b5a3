/** `@wireroom/sdk/testing`: a real daemon in one call. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ConnectionError,
  ForbiddenError,
  SchemaValidationFailedError,
  Wireroom,
} from "../../sdk/src/index.js";
import { startWireroom, type TestWireroom } from "../../sdk/src/testing/index.js";
import { LIMIT_NAMES } from "../../src/contract/limits.js";
import { COMMAND } from "../harness/daemon.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const BUILT_KIT = resolve(import.meta.dirname, "../../sdk/dist/testing/index.js");

/** The folder for temporary files, which no other test uses. */
const folder = mkdtempSync(join(tmpdir(), "wireroom-test-"));
const scripts = new TemporaryFolder("wireroom-scripts-");
const leftFiles = () => readdirSync(folder);

beforeAll(() => vi.stubEnv("TMPDIR", folder));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe("a started Wireroom", () => {
  let room: TestWireroom<"alice" | "bob">;

  beforeAll(async () => {
    vi.stubEnv("WIREROOM_DATABASE_URL", "sqlite:/nowhere/else.db");
    room = await startWireroom({ handles: ["alice", "bob"], command: COMMAND });
    expect(leftFiles()).toHaveLength(1);
  });

  afterAll(() => room.close());

  it("has a client of each handle, and ignores the settings of the environment", async () => {
    const { alice, bob } = room.handles;
    await alice.wires.send({ to: "@bob", text: "hi" });
    expect((await bob.inbox.read()).wires).toMatchObject([{ sender: "alice", text_body: "hi" }]);
  });

  it("has no rate limits", async () => {
    const { limits } = await room.handles.alice.limits.get();
    expect(limits.map(({ name }) => name).sort()).toEqual([...LIMIT_NAMES].sort());
    expect(limits.filter(({ limit }) => limit !== null)).toEqual([]);
  });

  it("validates payloads, which worker threads do", async () => {
    const { alice, bob } = room.handles;
    const json_schema = { type: "object", required: ["price"] };
    const { ref } = await bob.schemas.register({ subject: "@bob/quote", json_schema });
    await bob.profile.update({ inbox_rule: { allow_text: true, accepted_schemas: [ref] } });
    const send = alice.wires.send({ to: "@bob", payload: {} });
    await expect(send).rejects.toThrow(SchemaValidationFailedError);
  });

  it("lets their human approve what they send", async () => {
    await room.dashboard.egress.update({ slug: "alice", mode: "approval" });
    const { status } = await room.handles.alice.wires.send({ to: "@bob", text: "held" });
    expect(status).toBe("held");
    const { approvals } = await room.dashboard.approvals.list({ status: "pending" });
    await room.dashboard.approvals.answer({ id: approvals[0]!.id, status: "approved" });
    expect((await room.handles.bob.inbox.read()).wires.at(-1)!.text_body).toBe("held");
  });

  it("creates more handles, also of other humans", async () => {
    const carol = await room.createHandle("carol", "Carol's human");
    await carol.wires.send({ to: "@bob", text: "I am new" });
    const { handles } = await room.human("Carol's human").handles.list();
    expect(handles.map(({ slug }) => slug)).toEqual(["carol"]);
    await expect(room.dashboard.keys.issue({ handle_id: handles[0]!.id })).rejects.toThrow(ForbiddenError);
  });

  it("gives other processes and MCP clients what they need to act as a handle", async () => {
    const { WIREROOM_URL: baseUrl, WIREROOM_API_KEY: apiKey } = room.env("alice");
    const wr = new Wireroom({ baseUrl, apiKey });
    expect((await wr.profile.get()).slug).toBe("alice");
    await wr.close();
    expect(room.keys.alice).toBe(apiKey);
    const answer = await fetch(room.mcpUrl, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(await answer.text()).toContain("send_wire");
  });

  it("closes at once, though a call waits, and deletes its folder", async () => {
    const other = new Wireroom({ baseUrl: room.baseUrl, apiKey: room.keys.bob, maxRetries: 0 });
    const { next_cursor: cursor } = await other.inbox.read();
    const waiting = other.inbox.read({ cursor, wait: 30 }).then(
      () => "answered",
      () => "rejected",
    );
    await room[Symbol.asyncDispose]();
    expect(["answered", "rejected"]).toContain(await waiting);
    await expect(other.profile.get()).rejects.toThrow(ConnectionError);
    expect(leftFiles()).toEqual([]);
    await room.close();
  });
});

/** Bun, unless it is not installed on this platform. */
function bun(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve("@oven/bun-linux-x64-baseline/bin/bun");
  } catch {
    return undefined;
  }
}

describe("the daemon of a process that is killed", () => {
  it.each([
    ["Node", process.execPath],
    ["Bun", bun()],
  ])("on %s ends, and its folder is deleted", async (_, runtime) => {
    if (!runtime) return;
    const script = join(scripts.path, "killed.mjs");
    await writeFile(
      script,
      `import { startWireroom } from ${JSON.stringify(BUILT_KIT)};
      const { baseUrl, handles } = await startWireroom({ handles: ["alice"], command: ${JSON.stringify(COMMAND)} });
      await handles.alice.profile.get();
      process.stdout.write(baseUrl, () => process.kill(process.pid, "SIGKILL"));`,
    );
    const child = spawn(runtime, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [baseUrl, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(signal).toBe("SIGKILL");
    const isGone = () =>
      fetch(baseUrl).then(
        () => false,
        () => leftFiles().length === 0,
      );
    for (let n = 0; n < 100 && !(await isGone()); n++) await sleep(50);
    expect(await isGone()).toBe(true);
  });
});

describe("a start fails", () => {
  it("with what to install, if the package of the daemon is not there", async () => {
    await expect(startWireroom()).rejects.toThrow("make its tarball with `npm pack`");
  });

  it("with the message of the daemon, without anything left", async () => {
    const start = startWireroom({ command: COMMAND, args: ["--limit", "wires_per_minute=many"] });
    await expect(start).rejects.toThrow(/exit code 1 .*--limit: wires_per_minute must be a whole number/);
    expect(leftFiles()).toEqual([]);
  });
});
