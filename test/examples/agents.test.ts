/** The examples of agents that ask, review, and wait for a human. One daemon serves them all. */
import { createHmac, randomUUID } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWireroom } from "../../sdk/src/testing/index.js";
import { COMMAND } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { type ModelServer, startModelServer } from "../hosts/model/server.js";
import { EXAMPLES, type RunningScript, runScript, runShell, startCommand, startScript } from "./processes.js";

const room = await startWireroom({
  command: COMMAND,
  handles: [
    ...["asker", "expert", "critic", "boss", "worker"],
    ...["frontend", "backend"],
    ...["board", "ann", "ben", "rex", "buyer", "shop", "github", "team"],
  ] as const,
});
afterAll(() => room.close());

/** Runs a script as a handle. */
const as = (slug: keyof typeof room.handles, ...line: string[]) => runScript(line, room.env(slug));

describe("the first agent", () => {
  it("answers, also after it was stopped, as the guide prints it", async () => {
    const page = readFileSync(join(EXAMPLES, "../docs/guide/first-agent.md"), "utf8");
    const [, start, ...rest] = page
      .split(/^```sh\n([\s\S]*?)^```$/m)
      .filter((_, n) => n % 2 === 1 || n === 0);
    expect(start).toBe("npm start\n");
    // The daemon runs, and the human has an account.
    const script = rest
      .join("")
      .replace("wireroom init alice --no-hosts\n", "wireroom handle create alice\n");
    const { code, stdout, stderr } = await runShell(script, {
      WIREROOM_URL: room.baseUrl,
      WIREROOM_ID_TOKEN: room.idToken("reader"),
      WIREROOM_HANDLE: "alice", // a profile that signed in stores its first handle as the active one
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^((An|No) agent .* read the inbox of @shouter .*\n)*$/),
    });
    expect(stdout.match(/HELLO|ARE YOU THERE\?/g)).toEqual(["HELLO", "ARE YOU THERE?"]);
  });
});

it("the first agent goes on after a wire that it cannot answer", async () => {
  const agent = startScript(["first-agent/agent.mjs"], room.env("team"));
  const { boss, worker } = room.handles;
  await worker.profile.update({ inbox_rule: { allow_text: false, accepted_schemas: [] } });
  await worker.wires.send({ to: "@team", text: "I accept no text" });
  await boss.wires.send({ to: "@team", payload: { only: "a payload" } });
  const answer = await boss.wires.ask({ to: "@team", text: "hello" }, { timeout: 20_000 });
  expect(answer).toMatchObject({ text_body: "HELLO" });
  await worker.profile.update({ inbox_rule: { allow_text: true } });
  expect(await agent.stop()).toMatchObject({ code: 0, stderr: "" });
});

describe("request and reply", () => {
  const questions: string[] = [];
  let model: ModelServer;
  let experts: RunningScript[];

  beforeAll(async () => {
    model = await startModelServer({
      async next({ text }) {
        questions.push(text);
        return { text: text.includes("Eiffel") ? "It is 330 m tall." : "Paris" };
      },
      authorize: () => Promise.reject(new Error("no human is here")),
    });
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "none" };
    experts = (["expert", "critic"] as const).map((slug) =>
      startScript(["request-reply/expert.mjs"], { ...room.env(slug), ...env }),
    );
  });

  afterAll(async () => {
    for (const expert of experts) expect(await expert.stop()).toMatchObject({ code: 0, stderr: "" });
    model.close();
  });

  it("asks an expert, which asks its model", async () => {
    const asker = await as("asker", "request-reply/asker.mjs");
    expect(asker).toEqual({ code: 0, stdout: "It is 330 m tall.\n", stderr: "" });
    expect(questions).toHaveLength(1);
  });

  it("asks several experts, and goes on without one that does not answer", async () => {
    const { stdout } = await as("asker", "request-reply/fan-out.mjs", "@expert", "@critic", "@nobody");
    expect(stdout).toBe("@expert: Paris\n@critic: Paris\n@nobody: no answer\n");
  });
});

describe("the worker pool", () => {
  it("shares jobs among workers, also those of a worker that is killed, and shows them on a board", async () => {
    const { boss } = room.handles;
    const root_rule = JSON.parse(readFileSync(join(EXAMPLES, "worker-pool/rule.json"), "utf8"));
    await boss.spaces.create({ slug: "jobs", visibility: "private", root_rule });
    const workers = ["worker", "team", "buyer"] as const;
    await boss.spaces.update({
      slug: "jobs",
      members: workers.map((handle) => ({ handle, role: "poster" as const })),
    });
    for (const job of [{ text: "no job" }, { payload: { text: 7 } }])
      await expect(boss.wires.send({ to: "#jobs", ...job })).rejects.toMatchObject({
        code: expect.stringMatching(/^(POSTING_DENIED|SCHEMA_VALIDATION_FAILED)$/),
      });
    const start = (slug: (typeof workers)[number]) =>
      startCommand(
        [
          ...["space", "work", "jobs", "--seconds", "2", "--max-attempts", "2", "--reply"],
          ...["--concurrency", "2", "--exec", "node worker.mjs"],
        ],
        room.env(slug),
        "worker-pool",
      );
    const killed = start("worker");
    const results = as("boss", "worker-pool/produce.mjs");
    const board = as("boss", "worker-pool/board.mjs");
    const claimed = async () => (await boss.spaces.feed({ slug: "jobs", claim_state: "claimed" })).wires;
    await expect.poll(claimed, { timeout: 20_000 }).toHaveLength(2);
    killed.kill();
    const lost = await claimed();
    const others = [start("team"), start("buyer")];
    expect(
      (await results).stdout
        .replaceAll(/@(team|buyer)$/gm, "@…")
        .trim()
        .split("\n")
        .sort(),
    ).toEqual([
      '"": [failed after 2 attempts: exited with 1], says @…',
      '"all the world is a stage": {"words":6}, says @…',
      '"brevity is the soul of wit": {"words":6}, says @…',
      '"nothing will come of nothing": {"words":5}, says @…',
      '"the rest is silence": {"words":4}, says @…',
      '"to be or not to be": {"words":6}, says @…',
    ]);
    const { code, stdout, stderr } = await board;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^claimed {2}@worker until \d\d:\d\d:\d\d +"/m);
    const last = stdout.split("──").at(-1)!;
    expect(last.match(/^done /gm)).toHaveLength(5);
    expect(last).toMatch(/^failed {3}@(team|buyer) attempt 2 +""$/m);
    const attempts = await Promise.all(
      lost.map(async ({ id }) => (await boss.wires.get({ id })).claim?.attempt),
    );
    expect(attempts).toContain(2);
    for (const worker of others) expect(await worker.stop()).toMatchObject({ code: 0 });
  });
});

describe("the review board", () => {
  it("accepts valid proposals alone, and decides by votes", async () => {
    expect(await as("board", "review-board/setup.mjs")).toMatchObject({ code: 0, stderr: "" });
    const [boat, bench, refused] = await Promise.all([
      as("ann", "review-board/propose.mjs", "A boat", "90000"),
      as("ben", "review-board/propose.mjs", "A bench", "200"),
      as("ben", "review-board/propose.mjs", "A bargain", "-1"),
    ]);
    expect([boat.code, bench.code]).toEqual([0, 0]);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: "/cost must be >= 0\n" });

    expect(await as("rex", "review-board/review.mjs")).toMatchObject({ code: 0, stderr: "" });
    const decision = await as("board", "review-board/decide.mjs", boat.stdout.trim());
    expect(decision).toEqual({ code: 0, stdout: "A bench: 1 votes\n", stderr: "" });
    const empty = await as("board", "review-board/decide.mjs", bench.stdout.trim());
    expect(empty).toEqual({ code: 0, stdout: "no proposals\n", stderr: "" });
    const { wires } = await room.handles.ann.threads.get({ id: boat.stdout.trim() });
    expect(wires[0]!.tombstone).toMatchObject({ removed_by: "mod" });
    expect(wires[1]!.payload).toMatchObject({ verdict: "reject" });
  });
});

describe("the approval", () => {
  it("holds the agent's wire until its human decides, and the agent follows the note of a rejection", async () => {
    await room.dashboard.egress.update({ slug: "buyer", mode: "approval" });
    const agent = startScript(["approval/agent.mjs"], room.env("buyer"));
    expect(await agent.firstLine).toMatch(/^held until my human approves/);
    const env = { WIREROOM_URL: room.baseUrl, WIREROOM_ID_TOKEN: room.idToken() };
    const pending = async () => {
      const { stdout } = await runInProcess(["approval", "list", "--status", "pending", "--json"], { env });
      return JSON.parse(stdout).approvals[0];
    };
    const first = await pending();
    expect(first.wire.text_body).toBe("One boat, please.");
    const note = "at most 500 EUR";
    await runInProcess(["approval", "reject", first.id, "--note", note], { env });
    await expect.poll(async () => (await pending())?.wire.text_body).toBe(`One boat, please: ${note}`);
    expect((await room.handles.shop.inbox.read()).wires).toEqual([]);
    const second = await pending();
    expect(await runInProcess(["approval", "approve", second.id], { env })).toMatchObject({ code: 0 });
    expect((await room.handles.shop.inbox.read({ wait: 5 })).wires[0]!.text_body).toContain(note);
    const { code, stdout } = await agent.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\napproved\n$/) });
  });
});

describe("the GitHub webhook", () => {
  const GITHUB_WEBHOOK_SECRET = "It's a Secret to Everybody";
  const SEEN_FILE = join(tmpdir(), `wireroom-webhook-${randomUUID()}`);
  const env = { ...room.env("github"), GITHUB_WEBHOOK_SECRET, SEEN_FILE, TARGET: "@team", PORT: "0" };
  const event = {
    action: "opened",
    repository: { full_name: "acme/shop", html_url: "https://github.com/acme/shop" },
    sender: { login: "ann" },
    issue: { title: "The boat leaks", html_url: "https://github.com/acme/shop/issues/7" },
  };
  const body = JSON.stringify(event, null, 1);
  const sign = (text: string, secret = GITHUB_WEBHOOK_SECRET) =>
    `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

  afterAll(() => rm(SEEN_FILE, { force: true }));

  async function withServer(run: (post: Post) => Promise<void>) {
    const server = startScript(["github-webhook/server.mjs"], env);
    const port = await server.firstLine;
    await run((text, signature, headers = {}) => postTo(port, text, signature, headers));
    expect(await server.stop()).toMatchObject({ code: 0, stderr: "" });
  }

  type Post = (text: string, signature: string, headers?: Record<string, string>) => Promise<number>;
  async function postTo(port: string, text: string, signature: string, headers: Record<string, string>) {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": "issues",
        "x-github-delivery": randomUUID(),
        ...(signature !== "" && { "x-hub-signature-256": signature }),
        ...headers,
      },
      body: text,
    });
    await response.text();
    return response.status;
  }

  it("verifies the signature as GitHub documents it", () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    expect(sign("Hello, World!")).toBe(
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    );
  });

  it("sends each signed event once, also if it is replayed, and nothing else", async () => {
    await withServer(async (post) => {
      expect(await post(body, "")).toBe(401);
      expect(await post(body, "sha256=0")).toBe(401);
      expect(await post(body, sign(body, "another secret"))).toBe(401);
      expect(await post(JSON.stringify(event), sign(body))).toBe(401);
      expect(await post(body.replace("boat", "goat"), sign(body))).toBe(401);
      const together = await Promise.all([post(body, sign(body)), post(body, sign(body))]);
      expect(together.every((status) => status === 202 || status === 200)).toBe(true);
      expect(await post(body, sign(body), { "x-github-event": "push" })).toBe(200);
    });
    await withServer(async (post) => expect(await post(body, sign(body))).toBe(200));
    const { wires } = await room.handles.team.inbox.read();
    expect(wires.map(({ text_body }) => text_body)).toEqual([
      "acme/shop: issues opened “The boat leaks” by ann",
    ]);
    expect(wires[0]!.payload).toEqual({
      event: "issues",
      action: "opened",
      repository: "acme/shop",
      url: "https://github.com/acme/shop/issues/7",
    });
  });
});

/** Keeps the prompts of a session in a file, and answers with their number, as the scripted model does. */
const STAND_IN = `#!/usr/bin/env node
const fs = require("node:fs");
const [print, mode, session] = process.argv.slice(2);
const file = require("node:path").join(process.env.HOME, session);
if (print !== "--print" || (mode === "--resume") !== fs.existsSync(file)) process.exit(1);
fs.appendFileSync(file, fs.readFileSync(0, "utf8"));
console.log("answer " + fs.readFileSync(file, "utf8").split("has sent this wire").slice(1).length);
`;

/**
 * The program itself is large. If WIREROOM_CLAUDE names the folder of the command `claude`, it runs, with a
 * script in place of its model.
 */
describe("Claude Code", () => {
  it("a wire starts a session that answers it, and a reply in the thread continues the session", async () => {
    const home = new TemporaryFolder("wireroom-claude-").path;
    const model = await startModelServer({
      next: async ({ text }) => ({ text: `answer ${text.split("has sent this wire").length - 1}` }),
      authorize: () => Promise.reject(new Error("no human is here")),
    });
    writeFileSync(join(home, "claude"), STAND_IN);
    chmodSync(join(home, "claude"), 0o755);
    const watch = startCommand(
      ["watch", "--from", "@frontend", "--reply", "--exec", `node ${join(EXAMPLES, "claude-code/wake.mjs")}`],
      {
        ...room.env("backend"),
        HOME: home,
        PATH: [process.env.WIREROOM_CLAUDE ?? home, process.env.PATH].join(delimiter),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      home,
    );
    const { frontend } = room.handles;
    let cursor: string | undefined;
    const ask = async (text: string, reply_to?: string) => {
      await frontend.wires.send({ to: "@backend", text, reply_to });
      const { wires, next_cursor } = await frontend.inbox.read({ cursor, wait: 30 });
      cursor = next_cursor;
      return wires[0]!;
    };
    const first = await ask("Which fields does POST /orders need?");
    expect(first.text_body?.trim()).toBe("answer 1");
    const second = await ask("And PUT?", first.id);
    expect(second.text_body?.trim()).toBe("answer 2");
    expect(await watch.stop()).toMatchObject({ code: 0 });
    model.close();
  });
});
