import type { AsyncLocalStorage } from "node:async_hooks";
import type * as OidcProvider from "oidc-provider";

/** Storage of the current request's context, which the package uses but does not export. */
type Contexts = AsyncLocalStorage<OidcProvider.KoaContextWithOIDC>;
type Loaded = typeof OidcProvider & { contexts: Contexts };

/**
 * Loads oidc-provider without its warning about Node versions before 22, because Wireroom supports Node 20.
 */
export function loadOidcProvider(): Promise<Loaded> {
  loaded ??= load();
  return loaded;
}

let loaded: Promise<Loaded> | undefined;

async function load(): Promise<Loaded> {
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes("oidc-provider WARNING: Unsupported runtime")) warn(...args);
  };
  try {
    // @ts-expect-error the package has no types for this file
    const { default: contexts } = await import("oidc-provider/lib/helpers/als.js");
    return { ...(await import("oidc-provider")), contexts: contexts as Contexts };
  } finally {
    console.warn = warn;
  }
}
