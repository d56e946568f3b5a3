/** `inbox --follow`: each item once, whatever happens to the daemon, to the reader and to the command. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliWorld } from "../harness/cli-world.js";
import { COMMAND, NO_LIMITS } from "../harness/daemon.js";

let world: CliWorld;
let readers = 0;

beforeAll(async () => {
  world = await CliWorld.start({ args: NO_LIMITS });
  await world.handle("sender");
});

afterAll(() => world.stop());

/** A handle that nothing was sent to yet. */
async function newReader(): Promise<string> {
  const slug = `reader-${++readers}`;
  await world.handle(slug);
  return slug;
}

async function send(to: string, ...texts: string[]): Promise<void> {
  for (const text of texts)
    expect((await world.agent("sender").post("/wires", { to, text })).status).toBe(201);
}

/** Texts that the service would serve again. */
async function unacknowledged(slug: string): Promise<string[]> {
  const { body } = await world.agent(slug).get("/inbox?limit=100");
  return body.wires.map((wire: { text_body: string }) => wire.text_body);
}

/** The command while it runs. */
class Following {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #waiting = new Set<() => void>();

  constructor(slug: string, ...args: string[]) {
    this.child = spawn(process.execPath, [COMMAND, "inbox", "--follow", ...args], {
      env: { ...process.env, ...world.env(slug) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout!.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
      for (const look of this.#waiting) look();
    });
    this.child.stderr!.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
      for (const look of this.#waiting) look();
    });
    this.ended = once(this.child, "exit").then(([code]) => code as number | null);
  }

  get lines(): string[] {
    return this.stdout.split("\n").slice(0, -1);
  }

  /** Resolves once it holds; the test's own deadline is the limit. */
  until(holds: (following: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds(this)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

const textsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).wire.text_body);

describe("inbox --follow", () => {
  it("writes every item once across restarts, and says once that it waits [C-inbox-follow] [C-inbox-follow-waits]", async () => {
    const reader = await newReader();
    const texts = Array.from({ length: 9 }, (_, n) => `across ${n}`);
    await send(reader, ...texts.slice(0, 3));
    const following = new Following(reader, "--json");
    await following.until(({ lines }) => lines.length === 3);
    await world.daemon.kill();
    await following.until(({ stderr }) => stderr.includes("waiting for the daemon"));
    await world.daemon.restart();
    await send(reader, ...texts.slice(3, 6));
    await following.until(({ lines }) => lines.length >= 6);
    await world.daemon.restart();
    await send(reader, ...texts.slice(6));
    await following.until(({ lines }) => lines.length >= 9);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(textsOf(following.lines)).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
    expect(following.stderr.split("\n").filter((line) => line.includes("waiting")).length).toBeLessThan(3);
  });

  it("ends with 130 at Ctrl-C, and what was written is acknowledged [C-inbox-follow-interrupt]", async () => {
    const reader = await newReader();
    await send(reader, "one", "two");
    const following = new Following(reader);
    await following.until(({ lines }) => lines.length === 2);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(following.stderr).toBe("");
    expect(await unacknowledged(reader)).toEqual([]);
  });

  it("ends without an error where nobody reads; the rest comes again [C-inbox-follow-pipe]", async () => {
    const reader = await newReader();
    await send(reader, "one");
    const following = new Following(reader, "--json");
    await following.until(({ lines }) => lines.length === 1);
    following.child.stdout!.destroy();
    await send(reader, "two", "three");
    expect(await following.ended).toBe(0);
    expect(following.stderr).toBe("");
    expect(await unacknowledged(reader)).toEqual(["two", "three"]);
  });

  it("has lines that say what they are [C-inbox-follow]", async () => {
    const reader = await newReader();
    const sent = await world.agent("sender").post("/wires", { to: reader, text: "gone" });
    await world.agent("sender").post("/knocks", { handle: reader, intro: "hello" });
    await world.agent("sender").delete(`/wires/${sent.body.id}`);
    const following = new Following(reader, "--json");
    await following.until(({ lines }) => lines.length === 3);
    following.child.kill("SIGTERM");
    expect(await following.ended).toBe(143);
    const items = following.lines.map((line) => JSON.parse(line));
    expect(items.map(({ kind }) => kind)).toEqual(["wire", "knock", "tombstone_notice"]);
    expect(items.map((item) => Object.keys(item))).toEqual(items.map(({ kind }) => ["kind", kind]));
    expect(items[2].tombstone_notice.wire_id).toBe(sent.body.id);
  });

  it("refuses what makes no sense beside it, and a key that is not valid [C-errors-exit]", async () => {
    const reader = await newReader();
    expect((await world.as(reader, "inbox", "--follow", "--done")).code).toBe(2);
    const { keyId, owner } = world.agent(reader);
    await owner.delete(`/keys/${keyId}`);
    expect((await world.as(reader, "inbox", "--follow")).code).toBe(3);
  });
});
