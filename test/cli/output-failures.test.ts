/** Standard output and standard error that cannot be written. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
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

  it("is not acknowledged by inbox --done [C-inbox-checkpoint]", async () => {
    // The limit of the size of a file is a short write first, as on a disk that is full.
    const { code } = await shell('ulimit -f 8; exec $wireroom inbox --done --json > "$FILE"', { FILE: file });
    expect([code, await unread()]).toEqual([1, ["a", "b"]]);
    expect(readFileSync(file, "utf8")).toHaveLength(4_096);
  });

  it("is not acknowledged by inbox --follow [C-inbox-follow]", async () => {
    const follow = 'ulimit -f 8; exec $wireroom inbox --follow --json > "$FILE"';
    const { code, stderr } = await shell(follow, { FILE: file });
    expect([code, await unread()]).toEqual([1, ["b"]]);
    expect(stderr).toContain("cannot write to standard output");
  });
});
