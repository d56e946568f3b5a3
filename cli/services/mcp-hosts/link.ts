import { Failure } from "../../failure.js";
import type { HostId } from "../../mcp-hosts/entries.js";
import type { Session } from "../../session.js";
import { endpointUrl } from "./connection.js";
import { HOSTS } from "./hosts.js";

/**
 * Implements `wireroom mcp install HOST --link`, which prints a link that adds the URL of the endpoint to the
 * host.
 */
export async function printInstallLink(
  session: Session,
  host: HostId | undefined,
  name: string,
): Promise<void> {
  const linked = HOSTS.filter(({ installLink }) => installLink !== undefined);
  const found = linked.find(({ id }) => id === host);
  if (!found)
    throw new Failure("USAGE", `--link needs one of these hosts: ${linked.map(({ id }) => id).join(", ")}`);
  const link = found.installLink!(name, await endpointUrl(session));
  session.output.result({ name, host: found.id, link }, () => session.output.line(link));
}
