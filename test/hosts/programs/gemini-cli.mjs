/** Gemini CLI without a terminal. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { headers, PROMPT, settings } from "./common.mjs";

const gemini = resolve("node_modules/.bin/gemini");
const folder = join(settings.work, ".gemini");
await mkdir(folder, { recursive: true });
await writeFile(
  join(folder, "settings.json"),
  JSON.stringify({
    mcpServers: { wireroom: { httpUrl: settings.mcpUrl, headers, trust: true } },
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
  }),
);
const env = {
  GEMINI_API_KEY: "none",
  GOOGLE_GEMINI_BASE_URL: settings.modelUrl,
  GEMINI_CLI_TRUST_WORKSPACE: "true",
};
const options = { env, cwd: settings.work };
await run(gemini, ["mcp", "list"], options);
await run(gemini, ["-p", PROMPT, "-m", "gemini-2.5-pro"], options);
