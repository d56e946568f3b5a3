/** OpenCode without a terminal. */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";
import { installEntry } from "./install.mjs";

const opencode = resolve("node_modules/.bin/opencode");
const file = join(settings.work, ".config/opencode/opencode.json");
await installEntry("opencode", file, "mcp");
const provider = {
  npm: "@ai-sdk/openai-compatible",
  options: { baseURL: `${settings.modelUrl}/v1`, apiKey: "none" },
  models: { scripted: {} },
};
const configuration = { ...JSON.parse(await readFile(file, "utf8")), provider: { local: provider } };
await writeFile(file, JSON.stringify({ ...configuration, model: "local/scripted", autoupdate: false }));
const options = { cwd: settings.work };
if (!settings.apiKey) await run(opencode, ["mcp", "auth", "wireroom"], options);
await run(opencode, ["mcp", "list"], options);
await run(opencode, ["debug", "skill"], options);
await run(opencode, ["run", PROMPT], options);
