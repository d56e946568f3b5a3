/** Kimi Code CLI without a terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PROMPT, settings } from "./common.mjs";
import { installEntry } from "./install.mjs";
import { kimiConfiguration } from "./kimi-configuration.mjs";

const kimi = resolve("node_modules/.bin/kimi");
const home = join(settings.work, ".kimi-code");
await mkdir(home, { recursive: true });
await writeFile(join(home, "config.toml"), kimiConfiguration(settings.modelUrl));
await installEntry("kimi", join(home, "mcp.json"), "mcpServers");
const child = spawn(kimi, ["-p", PROMPT], { cwd: settings.work, stdio: ["inherit", "pipe", "pipe"] });
let output = "";
// The model begins the sign-in, and Kimi Code CLI prints the address that its human opens.
for (const stream of [child.stdout, child.stderr])
  stream.on("data", (chunk) => {
    process.stdout.write(chunk);
    output += chunk;
    const [address] = /http\S+\/identity\/auth\?\S+(?=\s)/.exec(output) ?? [];
    if (address === undefined) return;
    output = "";
    spawn("xdg-open", [address], { stdio: "inherit" });
  });
const [code] = await once(child, "close");
if (code !== 0) throw new Error(`kimi ended with ${code}`);
