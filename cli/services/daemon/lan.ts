/** Finds the address at which other machines of the network reach this daemon. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { Settings } from "../../../daemon/settings.js";
import { isLoopback } from "../../profiles/endpoint.js";

/** Returns undefined if only this machine reaches the daemon, or if the daemon has a public URL. */
export async function lanUrl(
  { host, publicUrl }: Settings,
  { listen, base_url }: DaemonState,
): Promise<string | undefined> {
  const { hostname, port } = new URL(listen);
  if (publicUrl !== undefined) return undefined;
  if (!["0.0.0.0", "::"].includes(host)) return isLoopback(hostname) ? undefined : base_url;
  const address = await routedAddress();
  return address && `http://${address}:${port}/v1`;
}

/** Returns the IPv4 address of the route to other networks. Returns undefined without a network. */
async function routedAddress(): Promise<string | undefined> {
  const socket = createSocket("udp4");
  try {
    // Choose a route to an address of a documentation network (RFC 5737). This sends nothing.
    socket.connect(9, "198.51.100.1");
    await once(socket, "connect");
    return socket.address().address;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}
