/** What Wireroom costs a model in tokens, as docs/guide/costs.md says. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Tiktoken } from "js-tiktoken/lite";
import o200kBase from "js-tiktoken/ranks/o200k_base";
import { expect, it } from "vitest";
import { INSTRUCTIONS, toolDefinitions } from "../../src/generate/mcp.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { runInProcess } from "../harness/in-process.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon, asker, expert } = await hostedFixture(["asker", "expert"]);
const tools = jsonRpcToolCaller(daemon, asker);
const encoder = new Tiktoken(o200kBase);
const tokensOf = (text: string) => encoder.encode(text).length;

const TASKS = 10;
/** The empty polls of a model that does not wait, until the answer is there. */
const EMPTY_POLLS = 2;
/** What a model has read before its first call. */
const CATALOGUE = tokensOf(JSON.stringify(toolDefinitions));
const PREAMBLE = CATALOGUE + tokensOf(INSTRUCTIONS);
/** Ids and times in results have a few more or fewer tokens, depending on their digits. */
const TOLERANCE = 0.1;

/** A model's conversation: each turn reads everything before it, and makes one call. */
class Conversation {
  calls = 0;
  /** Tokens of the calls and their results. */
  added = 0;
  /** Tokens that the model has read in all turns, the last one included, in which it knows the answer. */
  read = PREAMBLE;

  get costs(): number[] {
    return [this.calls, this.added, this.read];
  }

  /** Adds a prompt, before the first call. */
  prompt(text: string): void {
    this.added += tokensOf(text);
    this.read += tokensOf(text);
  }

  async call(name: string, args: Body): Promise<Body> {
    const { texts, body, isError } = await tools.call(name, args);
    expect(isError, texts.join("\n")).toBe(false);
    this.calls++;
    this.added += tokensOf(JSON.stringify({ name, arguments: args })) + tokensOf(texts.join("\n"));
    this.read += PREAMBLE + this.added;
    return body;
  }
}

const QUESTION = { to: "@expert", text: "Which of our suppliers can deliver 40 chairs to Oslo by Friday?" };
const ANSWER =
  "Nordstol can: 40 chairs of the model Fjell, 68 EUR each, delivered on Thursday. The offer is good until Monday.";

let expertCursor: string | undefined;

/** The expert answers the question that is waiting, or the next one. */
async function answer(): Promise<void> {
  const query = expertCursor === undefined ? "" : `&cursor=${expertCursor}`;
  const { body } = await expert.get(`/inbox?wait=30${query}`);
  expertCursor = body.next_cursor;
  await expert.post("/wires", { to: "@asker", text: ANSWER, reply_to: body.wires[0].id });
}

/** Runs ten tasks. Each returns when the model has the answer. */
async function conversationOf(task: (talk: Conversation) => Promise<Body>): Promise<Conversation> {
  const talk = new Conversation();
  for (let n = 0; n < TASKS; n++) expect((await task(talk)).text_body).toBe(ANSWER);
  return talk;
}

/** Begins where the conversation before has ended. */
async function inboxReader() {
  let { next_cursor: cursor } = (await asker.get("/inbox?limit=100")).body;
  return async (talk: Conversation, args: Body = {}) => {
    const page = await talk.call("read_inbox", { cursor, ...args });
    cursor = page.next_cursor;
    return page;
  };
}

it("ten questions cost what the guide says, in calls and in tokens", async () => {
  const poll = await inboxReader();
  const polling = await conversationOf(async (talk) => {
    await talk.call("send_wire", QUESTION);
    for (let n = 0; n < EMPTY_POLLS; n++) expect((await poll(talk)).wires).toEqual([]);
    await answer();
    return (await poll(talk)).wires[0];
  });
  const wait = await inboxReader();
  const waiting = await conversationOf(async (talk) => {
    await talk.call("send_wire", QUESTION);
    const [page] = await Promise.all([wait(talk, { wait: 50 }), answer()]);
    return page.wires[0];
  });
  const asking = await conversationOf(async (talk) => {
    const [{ reply }] = await Promise.all([
      talk.call("send_wire", { ...QUESTION, wait_for_reply: 50 }),
      answer(),
    ]);
    return reply;
  });
  expectRows({
    "`send_wire`, then `read_inbox` until the reply is there": polling.costs,
    "`send_wire`, then `read_inbox` with `wait`": waiting.costs,
    "`send_wire` with `wait_for_reply`": asking.costs,
  });
});

it("a wake and an answer cost what the guide says", async () => {
  const { next_cursor: cursor } = (await asker.get("/inbox?limit=100")).body;
  await asker.get(`/inbox?cursor=${cursor}`);
  await expert.post("/wires", { to: "@asker", text: QUESTION.text });
  const folder = new TemporaryFolder("wireroom-costs-").path;
  const env = { WIREROOM_URL: daemon.base, WIREROOM_API_KEY: asker.key, WIREROOM_CONFIG_DIR: folder };
  const input = JSON.stringify({ hook_event_name: "Stop", session_id: "one", stop_hook_active: false });
  const { reason } = JSON.parse((await runInProcess(["hook"], { env, input })).stdout);
  const talk = new Conversation();
  talk.prompt(reason);
  const woken = talk.costs;
  const { wires, next_cursor } = await talk.call("read_inbox", {});
  await talk.call("send_wire", { to: "@expert", text: ANSWER, reply_to: wires[0].id });
  await talk.call("read_inbox", { cursor: next_cursor });
  expectRows({
    "a wake, after which the model does nothing": woken,
    "a wake, then `read_inbox`, `send_wire` as the answer, and `read_inbox` to acknowledge": talk.costs,
  });
});

it("the tools cost what the guide says", () => {
  const [, catalogue] = /list of tools has ([\d,]+) tokens/.exec(guide)!;
  expectClose(numberOf(catalogue!), CATALOGUE);
});

it("a page of ten long wires costs what the guide says, whole and brief", async () => {
  const { next_cursor: cursor } = (await asker.get("/inbox?limit=100")).body;
  const paragraph = `${ANSWER} `.repeat(12).trim();
  for (let n = 0; n < 10; n++)
    await expert.post("/wires", { to: "@asker", text: paragraph, payload: { offers: [paragraph] } });
  const [whole, brief] = [new Conversation(), new Conversation()];
  expect((await whole.call("read_inbox", { cursor })).wires).toHaveLength(10);
  expect((await brief.call("read_inbox", { cursor, brief: true })).wires).toHaveLength(10);
  expectRows({ "`read_inbox`": [whole.added], "`read_inbox` with `brief`": [brief.added] });
});

const guide = readFileSync(resolve(import.meta.dirname, "../../docs/guide/costs.md"), "utf8");
const numberOf = (text: string) => Number(text.replaceAll(",", "").trim());

function expectClose(written: number, measured: number): void {
  expect(Math.abs(written - measured) / measured, `${written} in the guide, ${measured} here`).toBeLessThan(
    TOLERANCE,
  );
}

/** Compares the numbers in the rows of the guide with what was measured. */
function expectRows(rows: Record<string, readonly number[]>): void {
  const lines = Object.entries(rows).map(([name, numbers]) =>
    ["", name, ...numbers.map((number) => number.toLocaleString("en")), ""].join(" | ").trim(),
  );
  for (const [name, numbers] of Object.entries(rows)) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
    const written = row.split("|").slice(2, -1).map(numberOf);
    const isClose = numbers.every((measured, n) => Math.abs(written[n]! - measured) <= TOLERANCE * measured);
    expect(isClose, `docs/guide/costs.md should say:\n${lines.join("\n")}`).toBe(true);
  }
}
