/** `wireroom mcp`: serves MCP on standard input and output. */
import { EXIT, type ExitCode } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { keyOf } from "../../profiles/endpoint.js";
import { Session, type SharedFlags } from "../../session.js";
import { bridge, type Endpoint } from "./bridge.js";

/** Serves until the input ends and returns the exit code. Problems go to standard error, as lines for the host's log. */
export async function serveMcp(flags: SharedFlags): Promise<ExitCode> {
  const { env, stdin, stdout, stderr } = process;
  const complain = (line: string) => void stderr.write(`wireroom mcp: ${line}\n`);
  // A host that is gone reads no answers.
  stdout.once("error", () => process.exit());
  try {
    const endpoint = await readEndpoint(new Session(flags, { env, stdin, stdout, stderr }));
    if (stdin.isTTY)
      complain("speaks MCP on standard input and output, to a host that starts it; Ctrl-C ends it");
    await bridge(endpoint, {
      input: stdin,
      output: (line) => void stdout.write(`${line}\n`),
      complain,
    });
    return EXIT.ok;
  } catch (error) {
    complain((error as Error).message);
    if (!(error instanceof Failure)) return EXIT.failed;
    for (const step of error.next) complain(step);
    return error.exitCode;
  }
}

/** Endpoint and key, from flags, environment and profile. Throws a `Failure` whose message says what to set. */
async function readEndpoint(session: Session): Promise<Endpoint> {
  const base = await session.url();
  const key = keyOf(session.choices, await session.profile());
  // It becomes a header; anything else than visible ASCII is no key, and would fail in the first request with an obscure message.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure(
      "NO_CREDENTIALS",
      "WIREROOM_API_KEY, or the profile: this is no API key; one begins with wr_",
    );
  return { url: new URL("/mcp", base), key };
}
