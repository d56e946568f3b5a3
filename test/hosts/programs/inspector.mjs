/** The command line of the MCP Inspector, which makes a connection for each call. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { countOf, report, runPlainAgent, settings } from "./common.mjs";

const run = promisify(execFile);

async function inspect(method, ...args) {
  const header = settings.apiKey ? ["--header", `Authorization: Bearer ${settings.apiKey}`] : [];
  const target = ["--cli", settings.mcpUrl, "--transport", "http", ...header];
  const command = "node_modules/.bin/mcp-inspector";
  const { stdout } = await run(command, [...target, "--method", method, ...args]).catch((error) => {
    // The result of a failed call is on standard output, and the exit code is 1.
    if (error.stdout) return error;
    throw new Error(error.stderr || error.message);
  });
  return JSON.parse(stdout);
}

const argumentsOf = (call) =>
  Object.entries(call.arguments).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`]);

await runPlainAgent((await inspect("tools/list")).tools, (call) =>
  inspect("tools/call", "--tool-name", call.name, ...argumentsOf(call)),
);
report({
  resources: await countOf(async () => (await inspect("resources/list")).resources),
  templates: await countOf(async () => (await inspect("resources/templates/list")).resourceTemplates),
  prompts: await countOf(async () => (await inspect("prompts/list")).prompts),
});
