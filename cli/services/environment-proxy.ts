/** Makes `fetch`, which all commands use, respect the environment's proxy variables. */

export async function applyEnvironmentProxy(env: NodeJS.ProcessEnv): Promise<boolean> {
  // Without a proxy, do not load undici, because loading it takes time.
  if (!Object.entries(env).some(([name, value]) => /^https?_proxy$/i.test(name) && value)) return false;
  const { environmentProxy } = await import("../../sdk/src/runtime/transport/proxy.js");
  const proxy = environmentProxy();
  if (proxy === undefined) return false;
  const { setGlobalDispatcher } = await import("undici");
  setGlobalDispatcher(proxy);
  return true;
}
