/** Proxies that the environment names, on Node. */
import { type Agent, EnvHttpProxyAgent } from "undici";
import { environmentVariable } from "./platform.js";

/** Hosts of this machine, which no proxy can reach. */
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Returns an agent that sends requests through the proxies of `HTTP_PROXY` and `HTTPS_PROXY`, except to the
 * hosts of `NO_PROXY` and to this machine. Returns undefined if neither names a proxy.
 */
export function environmentProxy(options: Agent.Options = {}): EnvHttpProxyAgent | undefined {
  const variable = (name: string) => environmentVariable(name.toLowerCase()) ?? environmentVariable(name);
  const noProxy = variable("NO_PROXY") ?? "";
  if ((variable("HTTP_PROXY") ?? variable("HTTPS_PROXY")) === undefined || noProxy.trim() === "*")
    return undefined;
  // Only https needs a tunnel, and many proxies refuse one to other ports.
  return new EnvHttpProxyAgent({ ...options, proxyTunnel: false, noProxy: [noProxy, ...LOCAL].join(",") });
}
