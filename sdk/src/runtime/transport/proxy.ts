/** Uses the proxies from environment variables, on Node. */
import { networkInterfaces } from "node:os";
import { type Agent, EnvHttpProxyAgent, Pool } from "undici";
import { environmentVariable } from "./platform.js";

/** The protocols that undici supports. */
const PROTOCOLS = /^(https?|socks5?):$/;
/** Maximum time for a proxy to open a tunnel. undici does not stop opening it when the request is aborted. */
const TUNNEL_TIMEOUT_MS = 30_000;
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Returns undefined if no proxy is set, or if `NO_PROXY` is `*`. Requests to this machine use no proxy.
 * Throws a `TypeError` if a variable is not a proxy's URL.
 */
export function environmentProxy(options: Agent.Options = {}): EnvHttpProxyAgent | undefined {
  const noProxy = variable("NO_PROXY") ?? "";
  const [httpProxy, httpsProxy] = [proxyUrl("HTTP_PROXY"), proxyUrl("HTTPS_PROXY")];
  if (httpProxy + httpsProxy === "" || noProxy.trim() === "*") return undefined;
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy,
    httpsProxy,
    noProxy: [noProxy, ...LOCAL, ...ownAddresses()].join(","),
    // Send plain HTTP requests without a tunnel, because many proxies refuse tunnels to ports other than 443.
    proxyTunnel: false,
    clientFactory: (proxy: URL, client: object) =>
      new Pool(proxy, { ...client, headersTimeout: TUNNEL_TIMEOUT_MS }),
  });
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
  );
}

function variable(name: string): string | undefined {
  return environmentVariable(name.toLowerCase()) ?? environmentVariable(name);
}

/** Returns "" if the variable is not set. A proxy without a scheme is an http proxy, as for curl. */
function proxyUrl(name: string): string {
  const value = variable(name);
  if (value === undefined) return "";
  const url = value.includes("://") ? value : `http://${value}`;
  if (isProxyUrl(url)) return url;
  // Do not print the value, because it may contain a password.
  throw new TypeError(
    `${name} must be the URL of a proxy, such as http://proxy.example.com:3128; write % in a password as %25`,
  );
}

function isProxyUrl(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url);
    decodeURIComponent(username + password);
    return PROTOCOLS.test(protocol);
  } catch {
    return false;
  }
}
