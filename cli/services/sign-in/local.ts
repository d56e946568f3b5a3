/** Signs in without a password, with the secret that the daemon keeps in its data folder. */
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import type { DaemonState } from "../../../daemon/local/folder.js";
import { WireroomError } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { requestJson } from "./http.js";
import { discoverProvider } from "./provider-discovery.js";

const OTHER_WAYS = ["Create an account: wireroom signup", "Or sign in to one: wireroom login"];

/**
 * Signs in at a daemon on this machine (docs/specification/identity.md#local-sign-in). If that is impossible,
 * the error says how to sign in instead.
 */
export async function signInLocally(state: DaemonState, dataDir: string): Promise<SignIn> {
  const { issuer, clientId } = await discoverProvider(state.base_url);
  if (state.oidc_issuer !== null)
    throw new Failure("USAGE", `this daemon uses an external identity provider: ${issuer}`, [
      "Sign in there: wireroom login",
      "Then run this command again.",
    ]);
  const secret = await readSecret(state, dataDir);
  const email = `${localUser()}@localhost`;
  // Use the listen address, because a local sign-in must not pass a proxy.
  const tokens = (await requestJson(`${state.listen}/identity/local`, { secret, email }).catch(
    (error: unknown) => {
      if (!(error instanceof WireroomError) || error.code !== "FORBIDDEN") throw error;
      throw new Failure("SIGN_IN_FAILED", `cannot sign in as ${email}: ${error.message}`, OTHER_WAYS);
    },
  )) as { id_token: string; refresh_token: string };
  return { email, issuer, clientId, idToken: tokens.id_token, refreshToken: tokens.refresh_token };
}

async function readSecret({ base_url, settings }: DaemonState, dataDir: string): Promise<string> {
  const { localSecretFile } = await import("../../../daemon/local/folder.js");
  const file = localSecretFile(dataDir);
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || settings?.["--local-sign-in"] === "off")
      throw new Failure(
        "SIGN_IN_FAILED",
        `the daemon at ${base_url} accepts no local sign-in (--no-local-sign-in, or a --host that is not a loopback address)`,
        OTHER_WAYS,
      );
    throw new Failure("SIGN_IN_FAILED", `cannot read the secret of the daemon: ${message}`, [
      "Run this command as the user who runs the daemon.",
      ...OTHER_WAYS,
    ]);
  }
}

/**
 * Returns the name of this system user as the first part of an e-mail address: in lower case, without
 * accents, and with `-` in place of other characters.
 */
export function localUser(): string {
  const name = userName()
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  // A container may run as a user id without a name.
  return name || `user-${process.getuid?.() ?? 0}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
