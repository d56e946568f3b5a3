/**
 * Tests of `inbox --follow`: it prints each item once, even if the daemon, the reading process or the command
 * is interrupted.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Outage } from "../../cli/services/outage.js";
import { ConnectionError } from "../../sdk/src/index.js";
import { NO_ITEMS } from "../harness/api-helpers.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { COMMAND, NO_LIMITS } from "../harness/daemon.js";

let cli: CliFixture;
let readers = 0;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS, isHosted: false });
  await cli.createHandle("sender");
});

afterAll(() => cli.stop());

/** Creates a handle with an empty inbox. */
async function newReader(): Promise<string> {
  const slug = `reader-${++readers}`;
  await cli.createHandle(slug);
  return slug;
}

async function send(to: string, ...texts: string[]): Promise<void> {
  for (const text of texts) expect((await cli.agent("sender").post("/wires", { to, text })).status).toBe(201);
}

/** Returns the texts of the wires after the checkpoint, which the service would return again. */
async function unacknowledged(slug: string): Promise<string[]> {
  const { body } = await cli.agent(slug).get("/inbox?limit=100");
  return body.wires.map((wire: { text_body: string }) => wire.text_body);
}

/** The running command `inbox --follow`, with pipes as standard streams. */
class Following {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #waiting = new Set<() => void>();

  constructor(slug: string, ...args: string[]) {
    this.child = spawn(process.execPath, [COMMAND, "inbox", "--follow", ...args], {
      env: { ...process.env, ...cli.env(slug) },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdout!.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
      for (const check of this.#waiting) check();
    });
    this.child.stderr!.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
      for (const check of this.#waiting) check();
    });
    this.ended = once(this.child, "close").then(([code]) => code as number | null);
  }

  get lines(): string[] {
    return this.stdout.split("\n").slice(0, -1);
  }

  /** Resolves once `holds` returns true. Only the timeout of the test limits the wait. */
  until(holds: (following: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds(this)) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

const textsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).wire.text_body);

describe("inbox --follow", () => {
  // [C-inbox-follow] [C-inbox-follow-waits]
  it("prints every item once across restarts of the daemon, and reports once that it waits", async () => {
    const reader = await newReader();
    const texts = Array.from({ length: 9 }, (_, n) => `across ${n}`);
    await send(reader, ...texts.slice(0, 3));
    const following = new Following(reader, "--json", "--done");
    await following.until(({ lines }) => lines.length === 3);
    await cli.daemon.kill();
    await following.until(({ stderr }) => stderr.includes("does not answer; waiting for it"));
    await cli.daemon.restart();
    await send(reader, ...texts.slice(3, 6));
    await following.until(({ lines }) => lines.length >= 6);
    await cli.daemon.restart();
    await send(reader, ...texts.slice(6));
    await following.until(({ lines }) => lines.length >= 9);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(textsOf(following.lines)).toEqual(texts);
    expect(await unacknowledged(reader)).toEqual([]);
    expect(following.stderr.split("\n").filter((line) => line.includes("waiting")).length).toBeLessThan(3);
  });

  // [C-inbox-follow-waits]
  it("reports every outage, also if no item arrives between two", async () => {
    const page = { ...NO_ITEMS, next_cursor: "0" };
    const answers = ["cut", "cut", "page", "cut", "cut", "page", "hold"];
    const server = createServer((request, response) => {
      const answer = answers.shift();
      if (answer === "cut") request.socket.destroy();
      if (answer === "page") response.setHeader("content-type", "application/json").end(JSON.stringify(page));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const following = new Following(await newReader(), "--done", "--url", `http://127.0.0.1:${port}`);
    const outages = ({ stderr }: Following) => stderr.split("does not answer; waiting for it").length - 1;
    await following.until((now) => outages(now) >= 2);
    while (answers.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(outages(following)).toBe(2);
    expect(following.stderr.split("the daemon answers again")).toHaveLength(3);
    server.closeAllConnections();
    server.close();
  });

  // [C-inbox-follow-waits]
  it("reports a long outage again every five minutes", () => {
    let minutes = 0;
    const warnings: number[] = [];
    const outage = new Outage(
      "http://127.0.0.1:4747/v1",
      () => warnings.push(minutes),
      () => minutes * 60_000,
    );
    for (; minutes <= 11; minutes++) outage.report(new ConnectionError("no response", false));
    expect(warnings).toEqual([0, 5, 10]);
  });

  // [C-inbox-follow-unsure]
  it("loses nothing if a reader that takes one line ends, whatever the pipe accepts", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    const script = `node "${COMMAND}" inbox --follow --json | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const shell = spawn("bash", ["-c", script], { env: { ...process.env, ...cli.env(reader) } });
    let stderr = "";
    shell.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code] = await once(shell, "close");
    expect(await unacknowledged(reader)).toEqual(["one", "two", "three"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--ack or --done")]);
  });

  // [C-inbox-follow]
  it("acknowledges each item that it has written to a file", async () => {
    const reader = await newReader();
    await send(reader, "one", "two");
    const path = join(cli.folder, `file-${reader}`);
    const file = await open(path, "a");
    const child = spawn(process.execPath, [COMMAND, "inbox", "--follow", "--json"], {
      env: { ...process.env, ...cli.env(reader) },
      stdio: ["ignore", file.fd, "inherit"],
    });
    const ended = once(child, "exit");
    while ((await unacknowledged(reader)).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    await file.close();
    expect(textsOf((await readFile(path, "utf8")).trim().split("\n"))).toEqual(["one", "two"]);
  });

  // [C-inbox-follow-ack]
  it("with --ack, acknowledges an item and prints the next one only when a line arrives on standard input", async () => {
    const reader = await newReader();
    await send(reader, "one", "two", "three");
    const following = new Following(reader, "--json", "--ack");
    await following.until(({ lines }) => lines.length === 1);
    expect(await unacknowledged(reader)).toEqual(["one", "two", "three"]);
    following.child.stdin!.write("\n");
    await following.until(({ lines }) => lines.length === 2);
    expect(await unacknowledged(reader)).toEqual(["two", "three"]);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(textsOf(following.lines)).toEqual(["one", "two"]);
    expect(await unacknowledged(reader)).toEqual(["two", "three"]);
  });

  // [C-inbox-follow-ack]
  it.each([
    ["ends", "SIGTERM"],
    ["is killed", "SIGKILL"],
  ] as const)(
    "with --ack in a shell, leaves the item in work unacknowledged if the loop %s",
    async (_, signal) => {
      const reader = await newReader();
      await send(reader, "one", "two", "three");
      const acks = join(cli.folder, `acks-${reader}`);
      const log = join(cli.folder, `log-${reader}`);
      // The third command of the loop stands for work that never ends.
      const script = `mkfifo "${acks}"; node "${COMMAND}" inbox --follow --json --ack < "${acks}" | while read -r item; do
        echo "$item" >> "${log}"; case "$item" in *two*) kill -s ${signal.slice(3)} $BASHPID;; esac; echo; done > "${acks}"`;
      const shell = spawn("bash", ["-c", script], { env: { ...process.env, ...cli.env(reader) } });
      await once(shell, "exit");
      const seen = (await readFile(log, "utf8")).trim().split("\n");
      expect(textsOf(seen)).toEqual(["one", "two"]);
      expect(await unacknowledged(reader)).toEqual(["two", "three"]);
    },
  );

  // [C-inbox-follow-interrupt]
  it("exits with 130 after Ctrl-C, with all printed items acknowledged", async () => {
    const reader = await newReader();
    await send(reader, "one", "two");
    const following = new Following(reader, "--done");
    await following.until(({ lines }) => lines.length === 2);
    following.child.kill("SIGINT");
    expect(await following.ended).toBe(130);
    expect(following.stderr).toBe("");
    expect(await unacknowledged(reader)).toEqual([]);
  });

  // [C-inbox-follow-pipe]
  it("exits without an error if standard output is closed; the remaining items stay unacknowledged", async () => {
    const reader = await newReader();
    await send(reader, "one");
    const following = new Following(reader, "--json", "--done");
    await following.until(({ lines }) => lines.length === 1);
    following.child.stdout!.destroy();
    await send(reader, "two", "three");
    expect(await following.ended).toBe(0);
    expect(following.stderr).toBe("");
    expect(await unacknowledged(reader)).toEqual(["two", "three"]);
  });

  // [C-inbox-follow]
  it("prints lines that state their type", async () => {
    const reader = await newReader();
    const sent = await cli.agent("sender").post("/wires", { to: reader, text: "gone" });
    await cli.agent("sender").post("/knocks", { handle: reader, intro: "hello" });
    await cli.agent("sender").delete(`/wires/${sent.body.id}`);
    const following = new Following(reader, "--json", "--done");
    await following.until(({ lines }) => lines.length === 3);
    following.child.kill("SIGTERM");
    expect(await following.ended).toBe(143);
    const items = following.lines.map((line) => JSON.parse(line));
    expect(items.map(({ kind }) => kind)).toEqual(["wire", "knock", "tombstone_notice"]);
    expect(items.map((item) => Object.keys(item))).toEqual(items.map(({ kind }) => ["kind", kind]));
    expect(items[2].tombstone_notice.wire_id).toBe(sent.body.id);
  });

  // [C-errors-exit]
  it("rejects incompatible options and an invalid key", async () => {
    const reader = await newReader();
    for (const flags of [
      ["--follow", "--limit", "1"],
      ["--follow", "--ack", "--done"],
      ["--ack"],
      ["-i", "--done"],
    ])
      expect((await cli.runAs(reader, "inbox", ...flags)).code).toBe(2);
    const { keyId, owner } = cli.agent(reader);
    await owner.delete(`/keys/${keyId}`);
    expect((await cli.runAs(reader, "inbox", "--follow", "--done")).code).toBe(3);
  });
});
