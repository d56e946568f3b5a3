/**
 * The examples of agent frameworks: agents that ask one another through Wireroom. Scripts take the place of
 * their models.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startWireroom } from "../../sdk/src/testing/index.js";
import { COMMAND } from "../harness/daemon.js";
import { startModelServer } from "../hosts/model/server.js";
import { EXAMPLES, startScript } from "./processes.js";

/** The agents in the order in which they ask: each asks the next one, and the last one knows the answer. */
const AGENTS = [
  ["vercel", "frameworks/vercel-ai-sdk.mjs"],
  ["langgraph", "frameworks/langgraph.mjs"],
  // Mastra is large, and needs a newer Node than the other tests: its own package.json installs it.
  ...(existsSync(join(EXAMPLES, "frameworks/mastra/node_modules")) && !process.version.startsWith("v20.")
    ? ([["mastra", "frameworks/mastra/agent.mjs"]] as const)
    : []),
  ["openai", "frameworks/openai-agents.mjs"],
] as const;

const room = await startWireroom({
  command: COMMAND,
  handles: ["human", "vercel", "langgraph", "mastra", "openai"],
});
afterAll(() => room.close());

/** Starts a model that asks another agent and quotes its reply; the last one answers at once. */
function startModel(asks: string | undefined) {
  let calls = 0;
  return startModelServer({
    async next({ results, tools }) {
      const tool = tools.find(({ name }) => name.endsWith("send_wire"));
      if (asks === undefined) return { text: "330 m" };
      if (results.length > 0) return { text: `@${asks} says: ${replyIn(JSON.stringify(results.at(-1)))}` };
      const input = { to: `@${asks}`, text: "How tall is the Eiffel Tower?", wait_for_reply: 50 };
      return { call: { id: `call_${++calls}`, name: tool!.name, arguments: input } };
    },
    authorize: () => Promise.reject(new Error("no human is here")),
  });
}

/**
 * Returns the text of the reply in the result of `send_wire`, however often a framework has quoted the JSON.
 */
function replyIn(result: string): string {
  const text = /\\*"text_body\\*":\s*\\*"(.*?)\\*"/.exec(result)?.[1];
  if (text === undefined) throw new Error(`no reply in ${result}`);
  return text;
}

it("agents of all frameworks ask one another, and each gets the answer in one tool call", async () => {
  const models = await Promise.all(AGENTS.map((_, n) => startModel(AGENTS[n + 1]?.[0])));
  const scripts = AGENTS.map(([slug, script], n) => {
    const url = models[n]!.url;
    return startScript([script], {
      ...room.env(slug),
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "none",
      GOOGLE_BASE_URL: url,
      GOOGLE_API_KEY: "none",
    });
  });
  const text = "How tall is the Eiffel Tower? Ask around.";
  const { reply } = await room.handles.human.wires.send({ to: "@vercel", text, wait_for_reply: 50 });
  const chain = AGENTS.slice(1).map(([slug]) => `@${slug} says: `);
  expect(reply?.text_body).toBe(`${chain.join("")}330 m`);
  for (const model of models) model.close();
  const ended = await Promise.all(scripts.map((script) => script.stop()));
  // Mastra's MCP client ends the process at SIGTERM, before the loop has ended.
  expect(ended.map(({ code }) => code)).toEqual(AGENTS.map(([slug]) => (slug === "mastra" ? 143 : 0)));
  // The questions are finished, so that none is handed out again. The reply that a tool has waited for may be
  // unread.
  for (const [slug] of AGENTS) {
    const { wires } = await room.handles[slug].inbox.read();
    expect(wires.filter(({ reply_to }) => reply_to === null)).toEqual([]);
  }
});
