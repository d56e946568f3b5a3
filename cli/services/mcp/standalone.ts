/**
 * Entry point of the bridge in the MCP bundle. Imports no packages, so the bundle needs no `node_modules`.
 * The MCP host passes the URL and key that the human has entered in its settings.
 */
import { EXIT } from "../../exit-codes.js";
import { daemonUrl, fitsHeader } from "../../profiles/endpoint.js";
import { bridge } from "./bridge.js";

const { stderr, env } = process;
const log = (line: string) => void stderr.write(`wireroom: ${line}\n`);
const key = env.WIREROOM_API_KEY?.trim() ?? "";

if (!fitsHeader(key)) {
  log("enter an API key (wr_…) in the settings of this extension");
  process.exitCode = EXIT.auth;
} else {
  try {
    const url = new URL("/mcp", daemonUrl({ env }, {}));
    await bridge({ url, credential: () => key }, log);
  } catch (error) {
    log((error as Error).message);
    process.exitCode = EXIT.failed;
  }
}
