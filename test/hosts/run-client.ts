/** Runs the program of a client against a daemon and a model of its own, and collects what happened. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { COMMAND } from "../harness/daemon.js";
import { approveAsHuman } from "./approve.js";
import type { HostClient } from "./clients.js";
import type { Installation } from "./install.js";
import { launch } from "./launch.js";
import { startModelServer } from "./model/server.js";
import { Script, type StepName } from "./script.js";
import { startWorld, type World } from "./world.js";

/** Longer than the long poll and the start of the slowest client together. */
const CONVERSATION_TIMEOUT_MS = 240_000;

/** What a program counts itself: a number, or the message of an error. */
export interface Findings {
  resources?: number | string;
  templates?: number | string;
  prompts?: number | string;
}

export interface ClientRun {
  script: Script;
  findings: Findings;
  /** The tools of the daemon. */
  served: { name: string; description: string }[];
}

/** How a client proves who it is. */
export type Access = "key" | "oauth";

/**
 * @param work folder for the configuration of the client and a record of the model's requests
 * @param steps the steps to do; default: all
 */
export async function runClient(
  client: HostClient,
  installation: Installation,
  { access, work, steps }: { access: Access; work: string; steps?: readonly StepName[] },
): Promise<ClientRun> {
  const world = await startWorld();
  const served = await toolsOf(world);
  const script = new Script(
    world,
    served.map(({ name }) => name),
    steps,
  );
  const model = await startModelServer({
    next: (request) => script.answer(request),
    authorize: (url) => approveAsHuman(world, url),
  });
  const findings: Findings = {};
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  try {
    for (let conversation = 1; !script.isDone; conversation++) {
      const log = join(work, `output-${conversation}.log`);
      const end = await runProgram(client, installation, world, { access, work, log, modelUrl: model.url });
      Object.assign(findings, end.findings);
      if (!script.isDone) script.endConversation(end.reason);
    }
    return { script, findings, served };
  } finally {
    await writeFile(join(work, "requests.json"), JSON.stringify(model.requests, null, 1));
    await writeFile(join(work, "daemon.log"), world.daemon.log());
    model.close();
    await world.daemon.stop();
  }
}

interface Conversation {
  access: Access;
  work: string;
  log: string;
  modelUrl: string;
}

async function runProgram(
  client: HostClient,
  { folder, node }: Installation,
  { mcpUrl, key, daemon }: World,
  { access, work, log, modelUrl }: Conversation,
): Promise<{ reason: string; findings: Findings }> {
  const apiKey = access === "key" ? key : "";
  const args = client.args?.({ mcpUrl, key: apiKey }) ?? [];
  const { output, code } = await launch(node, [join(folder, client.program), ...args], {
    cwd: folder,
    // Nothing of the machine's own environment, so that no account, proxy or configuration of it is used.
    env: {
      PATH: [dirname(node), join(folder, "shims"), process.env.PATH].join(delimiter),
      HOME: work,
      BROWSER: join(folder, "shims/xdg-open"),
      WORK: work,
      MCP_URL: mcpUrl,
      MODEL_URL: modelUrl,
      COMMAND,
      API_KEY: apiKey,
      WIREROOM_API_KEY: apiKey,
      WIREROOM_URL: daemon.base,
      ...client.env,
    },
    timeoutMs: CONVERSATION_TIMEOUT_MS,
    inTerminal: access === "oauth" && client.signsInOnTerminal === true,
  });
  await writeFile(log, output);
  const reported = /^REPORT (.*)$/m.exec(output)?.[1];
  return {
    findings: reported ? JSON.parse(reported) : {},
    reason: code === undefined ? `no end after ${CONVERSATION_TIMEOUT_MS / 1_000} s` : reasonIn(output, code),
  };
}

/** Returns the line of a program's output that says best why it ended. */
function reasonIn(output: string, code: number): string {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .map((line) => line.trim());
  const error = lines.find((line) => /^(\[?\w*Error\b|.*\b(Fatal|fatal) error\b|.*\berror:)/.test(line));
  return error ?? lines.findLast((line) => line !== "") ?? `exit code ${code}`;
}

async function toolsOf({ mcpUrl, key }: World): Promise<ClientRun["served"]> {
  const response = await fetch(mcpUrl, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return ((await response.json()) as { result: { tools: ClientRun["served"] } }).result.tools;
}
