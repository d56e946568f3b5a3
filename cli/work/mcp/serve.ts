import { EXIT, type ExitCode } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { Session, type SharedFlags } from "../../session.js";
import { bridge } from "./bridge.js";
import { readEndpoint } from "./endpoint.js";

/** Serves until the input ends. Gives the exit code; what is wrong is said on standard error, in lines for the host's log. */
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
