/**
 * Caches handles' access tokens in a file beside the profile that only the owner can read. A lookup finds a
 * token only for the sign-in and daemon that the token was issued for.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { now } from "../clock.js";
import { type JsonObject, jsonObject } from "../json-object.js";
import { replaceFile } from "../replace-file.js";

export interface HandleToken {
  token: string;
  expires_at: string;
}

export interface TokenOwner {
  url: string;
  /** Identifies the account, for example by the ID token's issuer and subject. */
  account: string;
  handle: string;
}

/** A token within this time of its expiry is not used, because it could expire during a request. */
const MARGIN_MS = 60_000;

/** Returns a JWT's claims. Returns an empty object for any other token. */
export function claimsOf(token: string): JsonObject {
  return jsonObject(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

/** Returns an ID token's issuer and subject, which identify the account, or "unknown" if it is not a JWT. */
export function accountOf(idToken: string): string {
  const { iss, sub } = claimsOf(idToken);
  return typeof iss === "string" && typeof sub === "string" ? `${iss} ${sub}` : "unknown";
}

export async function readToken(file: string, owner: TokenOwner): Promise<string | undefined> {
  const tokens = Object.entries(await readTokens(file));
  return tokens.find(([name, token]) => name === nameOf(owner) && isFresh(token))?.[1].token;
}

/** Stores a token and drops expired tokens. Does nothing if the folder is not writable. */
export async function writeToken(file: string, owner: TokenOwner, token: HandleToken): Promise<void> {
  const fresh = Object.entries(await readTokens(file)).filter(([, each]) => isFresh(each));
  const tokens = { ...Object.fromEntries(fresh), [nameOf(owner)]: token };
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
  } catch {
    // The next command gets another token.
  }
}

export async function deleteTokens(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Returns no tokens if the file is missing or damaged. */
async function readTokens(file: string): Promise<Record<string, HandleToken>> {
  return jsonObject(await readFile(file, "utf8").catch(() => "")) as Record<string, HandleToken>;
}

function isFresh({ expires_at }: HandleToken): boolean {
  return Date.parse(expires_at) - now() > MARGIN_MS;
}

function nameOf({ url, account, handle }: TokenOwner): string {
  return `${new URL(url).origin} ${account} @${handle}`;
}
