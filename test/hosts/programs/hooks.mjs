/** Runs one turn of a host that has `wireroom hook` in its configuration, and no MCP server. */
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "./command.mjs";
import { kimiConfiguration } from "./kimi-configuration.mjs";

const { HOST, WORK, MODEL_URL } = process.env;
const PROMPT = "Say done.";

const hosts = {
  async "claude-code"() {
    const env = {
      ANTHROPIC_BASE_URL: MODEL_URL,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    await run(resolve("node_modules/.bin/claude"), ["-p", PROMPT], { env, cwd: WORK });
  },
  async codex() {
    const home = join(WORK, ".codex");
    await appendFile(
      join(home, "config.toml"),
      `model = "gpt-5"\nmodel_provider = "local"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n
[model_providers.local]\nname = "local"\nbase_url = "${MODEL_URL}/v1"\nwire_api = "responses"\n`,
    );
    // In place of the human who trusts the hook.
    const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", PROMPT];
    await run(resolve("node_modules/.bin/codex"), args, { env: { CODEX_HOME: home }, cwd: WORK });
  },
  async "gemini-cli"() {
    const file = join(WORK, ".gemini/settings.json");
    await mkdir(join(WORK, ".gemini"), { recursive: true });
    const settings = {
      ...JSON.parse(await readFile(file, "utf8")),
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
    };
    await writeFile(file, JSON.stringify(settings));
    const env = {
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: MODEL_URL,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    };
    await run(resolve("node_modules/.bin/gemini"), ["-p", PROMPT, "-m", "gemini-2.5-pro"], {
      env,
      cwd: WORK,
    });
  },
  async copilot() {
    const env = {
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${MODEL_URL}/v1`,
      COPILOT_MODEL: "gpt-5",
    };
    const args = ["-p", PROMPT, "--allow-all-tools"];
    await run(resolve("node_modules/.bin/copilot"), args, { env, cwd: WORK });
  },
  async kimi() {
    const file = join(WORK, ".kimi-code/config.toml");
    await writeFile(file, kimiConfiguration(MODEL_URL) + (await readFile(file, "utf8")));
    await run(resolve("node_modules/.bin/kimi"), ["-p", PROMPT], { cwd: WORK });
  },
};

await hosts[HOST]();
