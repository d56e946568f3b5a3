/** Codex without a terminal. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";

const codex = resolve("node_modules/.bin/codex");
const home = join(settings.work, ".codex");
await mkdir(home, { recursive: true });
const key = settings.apiKey ? 'bearer_token_env_var = "WIREROOM_API_KEY"' : "";
await writeFile(
  join(home, "config.toml"),
  `model = "gpt-5"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.local]
name = "local"
base_url = "${settings.modelUrl}/v1"
wire_api = "responses"

[mcp_servers.wireroom]
url = "${settings.mcpUrl}"
${key}
`,
);
const options = { env: { CODEX_HOME: home }, cwd: settings.work };
if (!settings.apiKey) await run(codex, ["mcp", "login", "wireroom"], options);
await run(codex, ["mcp", "list"], options);
await run(codex, ["exec", "--skip-git-repo-check", PROMPT], options);
