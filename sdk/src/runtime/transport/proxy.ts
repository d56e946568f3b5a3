/** Uses the proxies from environment variables, on Node. */
import { type Agent, EnvHttpProxyAgent } from "undici";
import { environmentVariable } from "./platform.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** Returns undefined if no proxy is set, or if `NO_PROXY` is `*`. Requests to this machine use no proxy. */
export function environmentProxy(options: Agent.Options = {}): EnvHttpProxyAgent | undefined {
  const variable = (name: string) => environmentVariable(name.toLowerCase()) ?? environmentVariable(name);
  const noProxy = variable("NO_PROXY") ?? "";
  if ((variable("HTTP_PROXY") ?? variable("HTTPS_PROXY")) === undefined || noProxy.trim() === "*")
    return undefined;
  // Send plain HTTP requests without a tunnel, because many proxies refuse tunnels to ports other than 443.
  return new EnvHttpProxyAgent({ ...options, proxyTunnel: false, noProxy: [noProxy, ...LOCAL].join(",") });
}
