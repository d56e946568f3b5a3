/** Signing in in a browser on this machine: authorization code with PKCE, back to a loopback address (RFC 8252). */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf } from "./provider.js";
import { providerError } from "./provider-errors.js";

/** Time that a person has to sign in. */
const TIMEOUT_MS = 10 * 60_000;

/** @param show shows or opens the address at which one signs in */
export async function signInWithBrowser(
  provider: Provider,
  show: (url: string) => Promise<void>,
): Promise<SignIn> {
  const { config, scope } = provider;
  const server = createServer();
  try {
    const redirect = await listen(server);
    const verifier = oidc.randomPKCECodeVerifier();
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      // OpenID Connect Core 1.0, section 11: a refresh token takes the person's consent.
      ...(scope.includes("offline_access") && { prompt: "consent" }),
    });
    const back = comesBack(server, redirect, state);
    await show(url.href);
    const tokens = await oidc.authorizationCodeGrant(config, await back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return signInOf(provider, tokens);
  } catch (error) {
    throw providerError(error, provider.issuer);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
}

/** Waits for the redirect of the browser. Requests without the right state are ignored. */
function comesBack(server: Server, redirect: string, state: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Failure("SIGN_IN_FAILED", "nobody signed in within 10 minutes", ["wireroom login"])),
      TIMEOUT_MS,
    );
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", redirect);
      const isOurs =
        request.method === "GET" && url.pathname === "/callback" && url.searchParams.get("state") === state;
      response.writeHead(isOurs ? 200 : 404, {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        connection: "close",
      });
      response.end(isOurs ? pageFor(url) : "There is nothing here.\n", () => {
        if (!isOurs) return;
        clearTimeout(timer);
        resolve(url);
      });
    });
  });
}

function pageFor(url: URL): string {
  const outcome = url.searchParams.has("error") ? "You were not signed in." : "You are signed in.";
  return `${outcome} Go back to your terminal; this page can be closed.\n`;
}

/**
 * Opens an address in the browser of this machine. Returns false where there is none: without a screen, a text browser
 * would start in the terminal of this command.
 */
export async function openInBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const hasScreen = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER);
  if (!/^https?:/.test(url) || (process.platform === "linux" && !hasScreen)) return false;
  try {
    const { default: open } = await import("open");
    const browser = await open(url);
    browser.on("error", () => {});
    return true;
  } catch {
    return false;
  }
}
