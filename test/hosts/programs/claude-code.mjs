/** Claude Code in print mode. */
import { resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";

const claude = resolve("node_modules/.bin/claude");
const env = {
  ANTHROPIC_BASE_URL: settings.modelUrl,
  ANTHROPIC_API_KEY: "none",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};
const options = { env, cwd: settings.work };
const header = settings.apiKey ? ["--header", `Authorization: Bearer ${settings.apiKey}`] : [];
await run(claude, ["mcp", "remove", "wireroom"], options).catch(() => {});
await run(claude, ["mcp", "add", "--transport", "http", "wireroom", settings.mcpUrl, ...header], options);
if (!settings.apiKey) await run(claude, ["mcp", "login", "wireroom"], options);
await run(claude, ["mcp", "list"], options);
await run(claude, ["-p", PROMPT, "--allowedTools", "mcp__wireroom"], options);
