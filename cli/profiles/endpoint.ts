/** Selects the daemon and the credentials: flags override variables, and variables override the profile. */
import { Failure } from "../failure.js";
import { oneLine } from "../output/safe.js";
import type { Profile } from "./profile.js";

export const DEFAULT_URL = "http://127.0.0.1:4747/v1";

export interface EndpointOptions {
  url?: string | undefined;
  as?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Also use the keys that programs have issued for themselves. */
  isProgram?: boolean | undefined;
}

/** Returns the daemon's REST base URL: an origin and `/v1`. Appends `/v1` to a URL without a path. */
export function daemonUrl({ url, env }: EndpointOptions, profile: Profile): string {
  const text = url ?? (env.WIREROOM_URL || profile.url || DEFAULT_URL);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const path = parsed?.pathname.replace(/\/+$/, "") || "/v1";
  if (parsed && /^https?:$/.test(parsed.protocol) && /^\/v\d+$/.test(path)) return `${parsed.origin}${path}`;
  const setting = url !== undefined ? "--url" : env.WIREROOM_URL ? "WIREROOM_URL" : "the URL in the profile";
  throw new Failure(
    "USAGE",
    `${setting} must look like ${DEFAULT_URL}, not ${JSON.stringify(text)}`,
    text.includes("://")
      ? ["The service needs an origin of its own: a reverse proxy cannot put it below another path."]
      : [],
  );
}

export function exportUrl(url: string): string[] {
  return url === DEFAULT_URL ? [] : [`export WIREROOM_URL=${url}`];
}

/**
 * Returns the API key for requests, or undefined if there is none. Throws `NO_CREDENTIALS` if the key is
 * unusable, or if it was saved for another daemon, because the called daemon must not receive it.
 */
export function apiKeyFor(options: EndpointOptions, profile: Profile): string | undefined {
  const { env, as, isProgram } = options;
  const saved = { ...(isProgram && profile.programKeys), ...profile.keys };
  const handle = activeHandle(options, profile) ?? "";
  const ownKey = as === undefined && env.WIREROOM_API_KEY;
  const key = (ownKey || (Object.hasOwn(saved, handle) ? saved[handle] : undefined))?.trim();
  if (!ownKey && key !== undefined) assertSameDaemon(options, profile, "keys");
  if (key === undefined || fitsHeader(key)) return key;
  throw new Failure(
    "NO_CREDENTIALS",
    "WIREROOM_API_KEY (or the key in the profile) is not an API key; API keys start with wr_",
  );
}

export function fitsHeader(credential: string): boolean {
  return /^[\x21-\x7e]+$/.test(credential);
}

export function noCredentials(options: EndpointOptions, profile: Profile): Failure {
  const handle = activeHandle(options, profile);
  const missing = handle === undefined ? "no API key" : `no API key of @${handle}`;
  return new Failure("NO_CREDENTIALS", `not signed in, and this profile has ${missing}`, [
    signInHint(daemonUrl(options, profile), profile),
    "Or set WIREROOM_API_KEY to an existing key.",
  ]);
}

export function signInHint(url: string, { lastEmail = "@localhost" }: Profile): string {
  if (!isLocalAccount(lastEmail)) return `Sign in again, as ${oneLine(lastEmail)}: wireroom login`;
  return isLoopback(new URL(url).hostname)
    ? "Sign in: wireroom init (with a password: wireroom login)"
    : "Sign in: wireroom login (new account: wireroom signup)";
}

export function activeHandle({ as, env }: EndpointOptions, profile: Profile): string | undefined {
  return handleSlug(as ?? (env.WIREROOM_HANDLE || profile.handle || "")) || undefined;
}

/**
 * Throws `NO_CREDENTIALS` if the command calls another daemon than the profile's, because other daemons must
 * not receive the profile's secrets.
 */
export function assertSameDaemon(options: EndpointOptions, profile: Profile, what: "keys" | "sign-in"): void {
  const [own, target] = profileAndTargetUrl(options, profile);
  if (new URL(own).origin === new URL(target).origin) return;
  const isFromVariable = options.url === undefined && options.env.WIREROOM_URL;
  const [secrets, variable] =
    what === "keys"
      ? ["API keys of this profile are", "WIREROOM_API_KEY"]
      : ["sign-in of this profile is", "WIREROOM_ID_TOKEN"];
  throw new Failure("NO_CREDENTIALS", `the ${secrets} for ${own} and cannot be used at ${target}`, [
    ...(isFromVariable ? [`WIREROOM_URL names ${target}. To use ${own}: unset WIREROOM_URL`] : []),
    `Use another profile for ${target}: --profile NAME (or WIREROOM_PROFILE)`,
    `Or set ${variable}.`,
  ]);
}

/** Returns the profile for the called daemon. Throws `USAGE` if it contains another daemon's secrets. */
export function profileForDaemon(options: EndpointOptions, profile: Profile): Profile {
  const [own, target] = profileAndTargetUrl(options, profile);
  if (!hasSecrets(profile) || new URL(own).origin === new URL(target).origin)
    return { ...profile, url: target };
  throw new Failure(
    "USAGE",
    `this profile contains credentials for ${own}, so it cannot store credentials for ${target}`,
    [`Use another profile for ${target}: --profile NAME (or WIREROOM_PROFILE)`],
  );
}

export function hasSecrets({ signIn, keys = {}, programKeys = {} }: Profile): boolean {
  return signIn !== undefined || Object.keys({ ...keys, ...programKeys }).length > 0;
}

export function isSameDaemon(one: Profile, other: Profile): boolean {
  const [a, b] = [one, other].map((profile) => new URL(daemonUrl({ env: {} }, profile)).origin);
  return a === b;
}

function profileAndTargetUrl(options: EndpointOptions, profile: Profile): [own: string, target: string] {
  return [daemonUrl({ env: {} }, profile), daemonUrl(options, profile)];
}

export function handleSlug(handle: string): string {
  return handle.replace(/^@/, "");
}

/** Returns whether the account signs in without a password (docs/specification/identity.md#local-sign-in). */
export function isLocalAccount(email: string): boolean {
  return email.endsWith("@localhost");
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
