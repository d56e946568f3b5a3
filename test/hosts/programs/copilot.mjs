/** Copilot CLI in print mode. */
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";
import { installEntry } from "./install.mjs";

const copilot = resolve("node_modules/.bin/copilot");
await installEntry("copilot", join(settings.work, ".copilot/mcp-config.json"), "mcpServers");
const env = {
  COPILOT_OFFLINE: "true",
  COPILOT_PROVIDER_BASE_URL: `${settings.modelUrl}/v1`,
  COPILOT_MODEL: "gpt-5",
};
const options = { env, cwd: settings.work };
await run(copilot, ["mcp", "list"], options);
await run(copilot, ["skill", "list"], options);
await run(copilot, ["-p", PROMPT, "--allow-all-tools"], options);
