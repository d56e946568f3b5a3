/** Standard output and standard error that cannot be written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type AgentClient, COMMAND } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon, bob } = await hostedFixture(["bob"]);

let reader: AgentClient;
let readers = 0;

beforeEach(async () => {
  reader = await daemon.createAgent(`output-reader-${++readers}`);
});

/** Runs a line of the shell in which `$wireroom` is the command. */
async function shell(line: string, variables: Record<string, string> = {}) {
  const child = spawn("/bin/sh", ["-c", line.replaceAll("$wireroom", '"$NODE" "$COMMAND"')], {
    env: {
      ...process.env,
      ...{ NODE: process.execPath, COMMAND, WIREROOM_URL: daemon.base, WIREROOM_API_KEY: reader.key },
      ...{ WIREROOM_CONFIG_DIR: new TemporaryFolder("wireroom-config-").path },
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stderr };
}

async function send(text: string) {
  expect((await bob.post("/wires", { to: `@${reader.slug}`, text })).status).toBe(201);
}

const unread = async () =>
  ((await reader.get("/inbox")).body.wires as { text_body: string }[]).map(({ text_body }) => text_body[0]);

describe("an item that is only partly written to a file", () => {
  let file: string;
  beforeEach(async () => {
    file = join(new TemporaryFolder("wireroom-output-").path, "items");
    for (const letter of ["a", "b"]) await send(letter.repeat(3_000));
  });

  // [C-inbox-checkpoint]
  it("is not acknowledged by inbox --done", async () => {
    // The limit of the size of a file is a short write first, as on a disk that is full.
    const { code } = await shell('ulimit -f 8; exec $wireroom inbox --done --json > "$FILE"', { FILE: file });
    expect([code, await unread()]).toEqual([1, ["a", "b"]]);
    expect(readFileSync(file, "utf8")).toHaveLength(4_096);
  });

  // [C-inbox-follow]
  it("is not acknowledged by inbox --follow", async () => {
    const follow = 'ulimit -f 8; exec $wireroom inbox --follow --json > "$FILE"';
    const { code, stderr } = await shell(follow, { FILE: file });
    expect([code, await unread()]).toEqual([1, ["b"]]);
    expect(stderr).toContain("cannot write to standard output");
  });
});

describe("standard output that cannot be written", () => {
  // [C-output-errors]
  it.runIf(existsSync("/dev/full"))("is reported on standard error", async () => {
    const { code, stderr } = await shell("$wireroom whoami > /dev/full");
    expect([code, stderr]).toEqual([
      1,
      "error cannot write to standard output: ENOSPC: no space left on device, write (FAILED)\n",
    ]);
    const json = await shell("$wireroom whoami --json > /dev/full");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stderr)).toEqual({
      code: "FAILED",
      message: expect.stringContaining("cannot write to standard output: ENOSPC"),
    });
    for (const args of ["inbox --help", "completion bash"])
      expect((await shell(`$wireroom ${args} > /dev/full`)).stderr).toContain(
        "cannot write to standard output",
      );
  });
});

/** Runs the command with a standard error whose reader has ended. */
function runWithoutStderr(args: readonly string[], url = daemon.base) {
  const env = { ...process.env, WIREROOM_URL: url, WIREROOM_API_KEY: reader.key };
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.destroy();
  return { child, ended: once(child, "exit") };
}

describe("standard error that nobody reads", () => {
  // [C-output-errors]
  it("does not change the exit code", async () => {
    expect(await runWithoutStderr(["wire", "show", "nothing"]).ended).toEqual([5, null]);
  });

  // [C-output-errors]
  it("does not end a command that follows at its first note", async () => {
    let requests = 0;
    const broken = createServer(({ socket }) => {
      requests++;
      socket.destroy();
    });
    broken.listen(0, "127.0.0.1");
    await once(broken, "listening");
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/v1`;
    const { child, ended } = runWithoutStderr(["inbox", "--follow", "--done"], url);
    while (requests < 4 && child.exitCode === null) await sleep(20);
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    broken.close();
  });
});
