import type * as OidcProvider from "oidc-provider";

/**
 * Loads oidc-provider without its warning about Node versions before 22, because Wireroom supports Node 20.
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
