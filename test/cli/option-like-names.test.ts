/**
 * Handles and spaces whose names look like options, such as `--help`: what a command prints, another one
 * takes.
 */
import { expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { runInProcess } from "../harness/in-process.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const odd = await daemon.createAgent("--help");

const run = (...args: string[]) =>
  runInProcess(args, { env: { WIREROOM_URL: daemon.base, WIREROOM_API_KEY: alice.key } });

/** Runs a command in a pipe. Returns its only line. */
async function line(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([args, code, stderr]).toEqual([args, 0, ""]);
  return stdout.trimEnd();
}

// [C-option-like-names]
it("are taken as commands print them, in a pipe and with --json", async () => {
  await sendWire(odd, "@alice", { text: "hello" });
  expect(await line("block", "add", "@--help")).toBe("@--help");
  const [printed] = (await line("block", "list")).split("\t");
  expect(printed).toBe("@--help");
  expect(await line("block", "remove", printed!)).toBe("@--help");
  const sender = await line("inbox", "--jq", ".wires[0].sender");
  expect(sender).toBe("--help");
  expect((await run("send", `@${sender}`, "important reply")).code).toBe(0);
  expect((await expectOk(odd.get("/inbox"))).wires).toMatchObject([{ text_body: "important reply" }]);
});

// [C-option-like-names]
it("of spaces have their sign", async () => {
  const created = await run("space", "create", "#--json", "--visibility", "public");
  expect(created.code).toBe(0);
  const [space] = (await line("space", "list")).split("\t");
  expect(space).toBe("#--json");
  expect(await line("space", "add-member", space!, "@--help")).toBe("@--help");
  expect((await run("space", "post", space!, "hello")).code).toBe(0);
  const feed = await run("space", "feed", space!, "--limit", "1");
  expect(feed.code).toBe(0);
  await run("space", "post", space!, "again");
  const { stderr } = await run("space", "feed", space!, "--limit", "1");
  expect(stderr).not.toMatch(/feed --json/);
});
