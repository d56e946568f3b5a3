/** Kimi Code CLI without a terminal. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { PROMPT, settings } from "./common.mjs";
import { installEntry } from "./install.mjs";
import { kimiConfiguration } from "./kimi-configuration.mjs";

const kimi = resolve("node_modules/.bin/kimi");
const home = join(settings.work, ".kimi-code");
await mkdir(home, { recursive: true });
await writeFile(join(home, "config.toml"), kimiConfiguration(settings.modelUrl));
await installEntry("kimi", join(home, "mcp.json"), "mcpServers");
const options = { cwd: settings.work };
await run(kimi, ["-p", PROMPT], options);
