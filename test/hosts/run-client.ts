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
import { startRegistrationProxy } from "./registration-proxy.js";
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
  /** The host from which the daemon could not fetch the client's metadata document. */
  missingDocument: string | undefined;
}

/** How a client proves who it is. With "registration", OAuth without client ID metadata documents. */
export type Access = "key" | "oauth" | "registration";

/**
 * @param work folder for the configuration of the client and a record of the model's requests
 * @param steps the steps to do; default: all
 */
export async function runClient(
  client: HostClient,
  installation: Installation,
  { access, work, steps }: { access: Access; work: string; steps?: readonly StepName[] },
): Promise<ClientRun> {
  const proxy = access === "registration" ? await startRegistrationProxy() : undefined;
  const world = await startWorld(proxy?.origin);
  proxy?.forwardTo(world.daemon.origin);
  const served = await toolsOf(world);
  const script = new Script(
    world,
    served.map(({ name }) => name),
    steps,
  );
  const refused = new AbortController();
  const model = await startModelServer({
    next: (request) => script.answer(request),
    async authorize(url) {
      try {
        return await approveAsHuman(world, url);
      } catch (error) {
        // Some clients would wait for minutes for a browser that never comes back.
        script.refuse(String(error));
        refused.abort();
        throw error;
      }
    },
  });
  const findings: Findings = {};
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  try {
    for (let conversation = 1; !script.isDone; conversation++) {
      const log = join(work, `output-${conversation}.log`);
      const end = await runProgram(client, installation, world, {
        access,
        work,
        log,
        modelUrl: model.url,
        signal: refused.signal,
      });
      Object.assign(findings, end.findings);
      if (!script.isDone) script.endConversation(end.reason);
    }
    // The log is complete when the daemon has ended.
    await world.daemon.stop();
    return { script, findings, served, missingDocument: missingDocumentIn(world.daemon.log()) };
  } finally {
    await writeFile(join(work, "requests.json"), JSON.stringify(model.requests, null, 1));
    await writeFile(join(work, "daemon.log"), world.daemon.log());
    model.close();
    proxy?.close();
    await world.daemon.stop();
  }
}

interface Conversation {
  access: Access;
  work: string;
  log: string;
  modelUrl: string;
  signal: AbortSignal;
}

async function runProgram(
  client: HostClient,
  { folder, node }: Installation,
  { mcpUrl, key, daemon }: World,
  { access, work, log, modelUrl, signal }: Conversation,
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
    signal,
    inTerminal: access !== "key" && client.signsInOnTerminal === true,
  });
  await writeFile(log, output);
  const reported = /^REPORT (.*)$/m.exec(output)?.[1];
  return {
    findings: reported ? JSON.parse(reported) : {},
    reason: code === undefined ? `no end after ${CONVERSATION_TIMEOUT_MS / 1_000} s` : reasonIn(output, code),
  };
}

function missingDocumentIn(log: string): string | undefined {
  const line = log.split("\n").find((each) => each.includes("the metadata of a client cannot be fetched"));
  return line && (JSON.parse(line) as { host: string }).host;
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
