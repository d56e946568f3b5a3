/** Tests of `--follow` for threads and spaces. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliFixture } from "../harness/cli-fixture.js";
import { COMMAND, NO_LIMITS } from "../harness/daemon.js";
import { countHeld } from "../harness/held-requests.js";

let cli: CliFixture;
let root: string;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS, isHosted: true });
  await cli.createHandle("reader");
  await cli.createHandle("sender");
  await cli.agent("sender").post("/spaces", { slug: "ops", visibility: "public" });
  root = await post("before");
});

afterAll(() => cli.stop());

async function post(text: string, fields: object = {}): Promise<string> {
  const { status, body } = await cli.agent("sender").post("/wires", { to: "#ops", text, ...fields });
  expect(status).toBe(201);
  return body.id;
}

const reply = (text: string) => post(text, { reply_to: root });

/** Starts each command in a process of its own, and waits until the daemon holds their requests. */
async function follow<Commands extends string[][]>(...commands: Commands) {
  // The daemon collects its metrics every 100 ms.
  await sleep(110);
  const held = await countHeld(cli.daemon);
  const following = commands.map(start) as { [Index in keyof Commands]: ReturnType<typeof start> };
  const expected = held + commands.length;
  await expect.poll(() => countHeld(cli.daemon), { interval: 20, timeout: 30_000 }).toBe(expected);
  return following;
}

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args, "--follow"], {
    env: { ...process.env, ...cli.env("reader") },
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = () => stdout.split("\n").slice(0, -1);
  const until = (count: number) => expect.poll(() => lines().length, { timeout: 30_000 }).toBe(count);
  return { child, ended, lines, until, stderr: () => stderr };
}

const textsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).text_body);

describe("--follow", () => {
  // [C-follow-wires]
  it("prints the wires of a thread and of a space from now on, until Ctrl-C", async () => {
    const [thread, feed] = await follow(["thread", root, "--json"], ["space", "feed", "ops", "--roots-only"]);
    await post("elsewhere");
    await reply("one");
    await reply("two");
    const last = await post("more");
    await Promise.all([thread.until(2), feed.until(2)]);
    for (const { child } of [thread, feed]) child.kill("SIGINT");
    expect(await Promise.all([thread.ended, feed.ended])).toEqual([130, 130]);
    expect(textsOf(thread.lines())).toEqual(["one", "two"]);
    expect(feed.lines()[0]).toContain("\t@sender\t#ops\telsewhere\t");
    expect(feed.lines()[1]).toContain(last);
    expect([thread.stderr(), feed.stderr()]).toEqual(["", ""]);
  });

  // [C-follow-wires]
  it("begins after --cursor, and ends without an error if the pipe is closed", async () => {
    const { body } = await cli.runJson("reader", "space", "feed", "ops", "--order", "oldest", "--limit", "1");
    const [feed] = await follow(["space", "feed", "ops", "--json", "--cursor", body.next_cursor]);
    const { wires } = (await cli.runJson("reader", "space", "feed", "ops", "--order", "oldest", "--all"))
      .body;
    await feed.until(wires.length - 1);
    expect(feed.lines().map((line) => JSON.parse(line))).toEqual(wires.slice(1));
    feed.child.stdout.destroy();
    await post("not read");
    expect([await feed.ended, feed.stderr()]).toEqual([0, ""]);
  });

  // [C-follow-wires]
  it.each([
    ["thread", ["--limit", "1"], "--follow cannot be combined with --limit"],
    ["thread", ["--all"], "--follow cannot be combined with --all"],
    ["feed", ["--order", "top"], "--follow cannot be combined with --order top"],
  ])("%s: is refused with %s", async (what, flags, message) => {
    const command = what === "thread" ? ["thread", root] : ["space", "feed", "ops"];
    const { code, stderr } = await cli.runAs("reader", ...command, "--follow", ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
