/** Runs the MCP conformance suite against a daemon. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { AgentClient, TestDaemon } from "./daemon.js";
import { mcpUrl } from "./mcp.js";
import { startApiKeyProxy } from "./mcp-proxy.js";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);

/**
 * The packages of the suite: the newest release, and the newest pre-release, which also tests protocol
 * revision 2026-07-28.
 */
export type Suite = "@modelcontextprotocol/conformance" | "conformance-alpha";

/** Registers `conformance-hooks.mjs`. */
const REGISTER = `data:text/javascript,import { register } from "node:module"; register("${new URL("./conformance-hooks.mjs", import.meta.url)}");`;

/**
 * Runs scenarios for servers.
 * @param args arguments that select the scenarios
 * @returns the output
 */
export async function runConformance(
  suite: Suite,
  daemon: TestDaemon,
  agent: AgentClient,
  args: readonly string[],
): Promise<string> {
  const proxy = await startApiKeyProxy(mcpUrl(daemon), agent.key);
  try {
    const command = commandOf(suite, ["server", "--url", proxy.url, ...args]);
    const { stdout } = await run(process.execPath, command, { maxBuffer: Number.POSITIVE_INFINITY }).catch(
      // The program exits with 1 if a scenario fails.
      (error: { stdout: string }) => error,
    );
    return stdout;
  } finally {
    await proxy.close();
  }
}

/**
 * Starts scenarios for authorization servers. They print a URL, and wait until a human has approved there.
 */
export function startAuthorizationConformance(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, commandOf("conformance-alpha", ["authorization", ...args]));
}

/** Returns the arguments with which Node runs a suite. */
function commandOf(suite: Suite, args: readonly string[]): string[] {
  const program = join(dirname(resolve(`${suite}/package.json`)), "dist/index.js");
  return ["--import", REGISTER, program, ...args];
}

/** Returns the number of failed checks by scenario, from the summary of a run of several scenarios. */
export function failuresByScenario(output: string): Map<string, number> {
  const lines = output
    .slice(output.indexOf("=== SUMMARY ==="))
    .matchAll(/^[✓✗] (\S+): \d+ passed, (\d+) failed/gm);
  return new Map([...lines].map(([, scenario, failed]) => [scenario!, Number(failed)]));
}
