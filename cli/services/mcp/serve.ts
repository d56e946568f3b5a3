/** Implements `wireroom mcp`: serves MCP (Model Context Protocol) on standard input and output. */
import { EXIT, type ExitCode } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { Session, type SharedFlags } from "../../session.js";
import { exitOnSignals } from "../../signals.js";
import { bridge, type Endpoint } from "./bridge.js";

export async function serveMcp(flags: SharedFlags): Promise<ExitCode> {
  const { env, stdin, stdout, stderr } = process;
  exitOnSignals();
  const log = (line: string) => void stderr.write(`wireroom mcp: ${line}\n`);
  try {
    const endpoint = await readEndpoint(new Session(flags, { env, stdin, stdout, stderr }));
    if (stdin.isTTY) log("this command is meant to be started by an MCP host; stop it with Ctrl-C");
    await bridge(endpoint, log);
    return EXIT.ok;
  } catch (error) {
    log((error as Error).message);
    if (!(error instanceof Failure)) return EXIT.failed;
    for (const step of error.hints) log(step);
    return error.exitCode;
  }
}

async function readEndpoint(session: Session): Promise<Endpoint> {
  const base = await session.urlForSecrets();
  const credential = await session.programCredential();
  return {
    url: new URL("/mcp", base),
    credential: typeof credential === "string" ? () => credential : credential,
  };
}
