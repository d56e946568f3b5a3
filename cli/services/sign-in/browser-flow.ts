/** Signs in with a browser on this machine: authorization code with PKCE and loopback redirect (RFC 8252). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf, toCliError } from "./provider.js";

const TIMEOUT_MS = 10 * 60_000;

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
      // Offline access requires `prompt=consent` (OpenID Connect Core 1.0, section 11).
      ...(scope.includes("offline_access") && { prompt: "consent" }),
    });
    const redirected = waitForRedirect(server, redirect, state);
    await show(url.href);
    const tokens = await oidc.authorizationCodeGrant(config, await redirected, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return signInOf(provider, tokens);
  } catch (error) {
    throw toCliError(error, provider.issuer);
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

function waitForRedirect(server: Server, redirect: string, state: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new Failure("SIGN_IN_FAILED", "timed out: no sign-in within 10 minutes", [
            "Try again: wireroom login",
          ]),
        ),
      TIMEOUT_MS,
    );
    server.on("request", (request, response) => {
      const target = request.url ?? "/";
      const url = URL.canParse(target, redirect) ? new URL(target, redirect) : undefined;
      const isOurs =
        request.method === "GET" && url?.pathname === "/callback" && url.searchParams.get("state") === state;
      response.writeHead(isOurs ? 200 : 404, {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        connection: "close",
      });
      response.end(isOurs ? pageFor(url) : "Not found.\n", () => {
        if (!isOurs) return;
        clearTimeout(timer);
        resolve(url);
      });
    });
  });
}

function pageFor(url: URL): string {
  const outcome = url.searchParams.has("error") ? "You were not signed in." : "You are signed in.";
  return `${outcome} You can close this page and return to the terminal.\n`;
}

/** Programs that open a URL in the default browser. Other platforms use `BROWSER` or xdg-open. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a URL in this machine's browser. Returns false if that is not possible. On Linux, requires a display,
 * because a text browser would otherwise start in this terminal.
 */
export async function openInBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER);
  if (!/^https?:/.test(url) || (process.platform === "linux" && !hasDisplay)) return false;
  const [program, ...args] = OPENERS[process.platform] ?? [env.BROWSER || "xdg-open"];
  const opener = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  opener.unref();
  return once(opener, "spawn").then(
    () => true,
    () => false,
  );
}
