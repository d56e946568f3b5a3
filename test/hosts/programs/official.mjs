/** What the programs around an official client share. */
import { countOf, report, runPlainAgent } from "./common.mjs";

/** Lets the model of the runner use a connected client of either major version. */
export async function exercise(client) {
  const { tools } = await client.listTools();
  await runPlainAgent(tools, (call) => client.callTool({ name: call.name, arguments: call.arguments }));
  report({
    resources: await countOf(async () => (await client.listResources()).resources),
    templates: await countOf(async () => (await client.listResourceTemplates()).resourceTemplates),
    prompts: await countOf(async () => (await client.listPrompts()).prompts),
  });
  await client.close();
}
