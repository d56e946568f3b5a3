/** Proxies of the environment for `fetch`, with which sign-in and the bridge send. The SDK has its own. */

/** Lets `fetch` use the proxies that the environment names. Returns false if it names none. */
export async function applyEnvironmentProxy(env: NodeJS.ProcessEnv): Promise<boolean> {
  // Loading undici takes time.
  if (!Object.entries(env).some(([name, value]) => /^https?_proxy$/i.test(name) && value)) return false;
  const { environmentProxy } = await import("../../sdk/src/runtime/transport/proxy.js");
  const proxy = environmentProxy();
  if (proxy === undefined) return false;
  const { setGlobalDispatcher } = await import("undici");
  setGlobalDispatcher(proxy);
  return true;
}
