/** Kimi Code CLI without a terminal. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";
import { installEntry } from "./install.mjs";

const kimi = resolve("node_modules/.bin/kimi");
const home = join(settings.work, ".kimi-code");
await mkdir(home, { recursive: true });
await writeFile(
  join(home, "config.toml"),
  `default_model = "scripted"
telemetry = false

[providers.local]
type = "openai"
base_url = "${settings.modelUrl}/v1"
api_key = "none"

[models.scripted]
provider = "local"
model = "scripted"
max_context_size = 200000
`,
);
await installEntry("kimi", join(home, "mcp.json"), "mcpServers");
const options = { cwd: settings.work };
await run(kimi, ["-p", PROMPT], options);
