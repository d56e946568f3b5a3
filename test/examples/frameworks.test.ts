/** The examples of agent frameworks: agents that ask one another through Wireroom. Scripts take the place of their models. */
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

const QUESTION = "How tall is the Eiffel Tower?";

/** Starts a model that asks another agent and quotes its reply; the last one answers at once. */
function startModel(asks: string | undefined) {
  let calls = 0;
  return startModelServer({
    async next({ results, tools }) {
      if (asks === undefined) return { text: "330 m" };
      const call = (name: string, args: Record<string, unknown>) => {
        const tool = tools.find((each) => each.name.endsWith(name))!;
        return { call: { id: `call_${++calls}`, name: tool.name, arguments: args } };
      };
      const [sent, ...pages] = results.map((result) => JSON.stringify(result));
      if (!sent) return call("send_wire", { to: `@${asks}`, text: QUESTION });
      const thread = { id: fieldsIn(sent, "thread_id")[0], wait: 50 };
      const page = pages.at(-1);
      if (!page) return call("read_thread", thread);
      const reply = fieldsIn(page, "text_body").find((text) => text !== QUESTION);
      if (reply) return { text: `@${asks} says: ${reply}` };
      return call("read_thread", { ...thread, cursor: fieldsIn(page, "next_cursor")[0] });
    },
    authorize: () => Promise.reject(new Error("no human is here")),
  });
}

/** Returns the values of a field in the result of a tool, however often a framework has quoted its JSON. */
function fieldsIn(result: string, name: string): string[] {
  const values = result.matchAll(new RegExp(`\\\\*"${name}\\\\*":\\s*\\\\*"(.*?)\\\\*"`, "g"));
  return [...values].map(([, value]) => value!);
}

it("agents of all frameworks ask one another, and wait for the answer", async () => {
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
  const { human } = room.handles;
  await human.wires.send({ to: "@vercel", text: QUESTION });
  const { wires } = await human.inbox.read({ wait: 50 });
  const chain = AGENTS.slice(1).map(([slug]) => `@${slug} says: `);
  expect(wires.map((wire) => wire.text_body)).toEqual([`${chain.join("")}330 m`]);
  for (const model of models) model.close();
  const ended = await Promise.all(scripts.map((script) => script.stop()));
  // Mastra's MCP client ends the process at SIGTERM, before the loop has ended.
  expect(ended.map(({ code }) => code)).toEqual(AGENTS.map(([slug]) => (slug === "mastra" ? 143 : 0)));
  // The question and the replies are finished, so that nothing is handed out again.
  for (const [slug] of AGENTS) expect((await room.handles[slug].inbox.read()).wires).toEqual([]);
});
