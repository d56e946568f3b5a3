/** Provides access tokens with which the signed-in human acts as a handle, without a saved API key. */
import { ConnectionError, type Handle, WireroomError } from "../../../sdk/src/index.js";
import { describeFault } from "../../../sdk/src/runtime/transport/fault.js";
import { Failure } from "../../failure.js";
import { accountOf, readToken, writeToken } from "../../profiles/token-cache.js";
import type { Session } from "../../session.js";
import type { TokenSource } from "./id-token.js";

/**
 * Returns the account's only handle. Saves it as the active handle if the profile contains the sign-in.
 * Throws a `Failure` if the account has no handle or several.
 */
export async function onlyHandle(session: Session): Promise<string> {
  const client = await session.dashboard();
  const { handles } = await client.handles.list({ limit: 2 });
  if (handles.length === 0) {
    throw new Failure("NO_CREDENTIALS", "you have no handle yet", [
      "Create one: wireroom handle create NAME",
    ]);
  }
  if (handles.length > 1) throw severalHandles(handles);
  const { slug } = handles[0]!;
  if ((await session.profile()).signIn) {
    await session.changeProfile((profile) => ({ ...profile, handle: profile.handle ?? slug }));
  }
  return slug;
}

function severalHandles([first]: readonly Handle[]): Failure {
  return new Failure("USAGE", "you have several handles, and none is active", [
    "List them: wireroom handle list",
    `Choose one for all commands: wireroom handle use @${first!.slug}`,
    `Or for one command: --as @${first!.slug}`,
  ]);
}

export async function handleTokenSource(session: Session, handle: string): Promise<TokenSource> {
  const [client, idToken, url] = await Promise.all([
    session.dashboard(),
    session.idToken(),
    session.urlForSecrets(),
  ]);
  const owner = { url, account: accountOf(idToken), handle };
  const file = session.tokenFile;
  let pending: Promise<string> | undefined;
  const issue = async () => {
    try {
      const issued = await client.handles.issueToken({ slug: handle });
      await writeToken(file, owner, issued);
      return issued.token;
    } catch (error) {
      throw errorOfIssue(error, handle);
    } finally {
      pending = undefined;
    }
  };
  return async (refused) => {
    const cached = await readToken(file, owner);
    if (cached !== undefined && cached !== refused) return cached;
    pending ??= issue();
    return pending;
  };
}

/**
 * Converts an error for an unreachable identity provider to `ConnectionError`, which the SDK retries. A
 * command that waits for the daemon therefore survives the ID token's expiry.
 */
function errorOfIssue(error: unknown, handle: string): unknown {
  if (error instanceof WireroomError && error.code === "NOT_FOUND") return noSuchHandle(handle);
  const mayPass =
    error instanceof Failure &&
    error.code === "PROVIDER_UNREACHABLE" &&
    describeFault(error.cause).tlsProblem === undefined;
  return mayPass ? new ConnectionError(error.message, false, error) : error;
}

function noSuchHandle(handle: string): Failure {
  return new Failure("NOT_FOUND", `you have no handle @${handle}`, [
    "List your handles: wireroom handle list",
    "Choose the active one: wireroom handle use @HANDLE",
  ]);
}
