import { packageVersion } from "../../package-file.js";
import { calledDaemon } from "../../services/daemon/running.js";
import { command } from "../command.js";

/** The time is short, because `wireroom version` must not wait long for a daemon that does not answer. */
const TIMEOUT_MS = 2_000;

export const add = command({
  name: "version",
  description: "show the versions of this command and of the daemon",
  help: `\
The version of a daemon on another machine is unknown; the version of its API is shown. wireroom --version prints only the
version of this command.`,
  examples: "wireroom version --json",
  run: async (session) => {
    const url = await session.url();
    const [api_version, state] = await Promise.all([readApiVersion(url), calledDaemon(session)]);
    const daemon = api_version === undefined ? null : { url, version: state?.version ?? null, api_version };
    const [version, { node }] = [packageVersion(), process.versions];
    const { output } = session;
    output.result({ version, node, daemon }, () =>
      output.fields([
        ["wireroom", version],
        ["node", node],
        ["daemon", daemon === null ? "no daemon answers" : (daemon.version ?? undefined)],
        ["api", daemon?.api_version],
        ["url", daemon?.url],
      ]),
    );
  },
});

async function readApiVersion(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { info } = (await response.json()) as { info?: { title?: unknown; version?: unknown } };
    return info?.title === "Wireroom" && typeof info.version === "string" ? info.version : undefined;
  } catch {
    return undefined;
  }
}
