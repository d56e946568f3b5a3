import type * as OidcProvider from "oidc-provider";

/**
 * oidc-provider, loaded without the line that it prints on runtimes older than Node 22: Node 20 is supported and tested
 * here, and the daemon's standard streams are its own. All else that is written meanwhile goes through.
 */
export function loadOidcProvider(): Promise<typeof OidcProvider> {
  loaded ??= load();
  return loaded;
}

let loaded: Promise<typeof OidcProvider> | undefined;

async function load(): Promise<typeof OidcProvider> {
  const { warn } = console;
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes("oidc-provider WARNING: Unsupported runtime")) warn(...args);
  };
  try {
    return await import("oidc-provider");
  } finally {
    console.warn = warn;
  }
}
