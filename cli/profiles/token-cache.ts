/**
 * Caches handles' access tokens in a file beside the profile that only the owner can read. A lookup finds a
 * token only for the sign-in and daemon that the token was issued for.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { now } from "../clock.js";
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

type Tokens = Readonly<Record<string, HandleToken>>;

/** A token within this time of its expiry is not used, because it could expire during a request. */
const MARGIN_MS = 60_000;

/** Returns an ID token's issuer and subject, which identify the account, or "unknown" if it is not a JWT. */
export function accountOf(idToken: string): string {
  try {
    const { iss, sub } = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as {
      iss?: unknown;
      sub?: unknown;
    };
    if (typeof iss === "string" && typeof sub === "string") return `${iss} ${sub}`;
  } catch {
    // The service will reject the token.
  }
  return "unknown";
}

export async function readToken(file: string, owner: TokenOwner): Promise<string | undefined> {
  const tokens = await readTokens(file);
  const name = nameOf(owner);
  return Object.hasOwn(tokens, name) && isFresh(tokens[name]!) ? tokens[name]!.token : undefined;
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

async function readTokens(file: string): Promise<Tokens> {
  try {
    const tokens = JSON.parse(await readFile(file, "utf8")) as unknown;
    const isValid =
      typeof tokens === "object" &&
      tokens !== null &&
      !Array.isArray(tokens) &&
      Object.values(tokens).every(isToken);
    return isValid ? (tokens as Tokens) : {};
  } catch {
    return {};
  }
}

function isToken(value: unknown): boolean {
  const { token, expires_at } = (value ?? {}) as Partial<HandleToken>;
  return typeof token === "string" && typeof expires_at === "string";
}

function isFresh({ expires_at }: HandleToken): boolean {
  return Date.parse(expires_at) - now() > MARGIN_MS;
}

function nameOf({ url, account, handle }: TokenOwner): string {
  return `${new URL(url).origin} ${account} @${handle}`;
}
