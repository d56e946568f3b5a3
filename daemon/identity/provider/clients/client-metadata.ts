import type Provider from "oidc-provider";
import type { ClientMetadata, errors as Errors } from "oidc-provider";
import { isApplication } from "./own-clients.js";
import { redirectUriProblem } from "./redirect-uris.js";

/** These limits keep stored registrations small. */
const MAX_NAME_LENGTH = 100;
const MAX_REDIRECT_URIS = 20;

/** The supported metadata fields. All others are ignored (RFC 7591, section 2). */
const KNOWN = new Set([
  "client_id",
  "client_id_issued_at",
  "client_name",
  "redirect_uris",
  "token_endpoint_auth_method",
  "token_endpoint_auth_methods_supported",
]);

/**
 * An extra metadata field, which no client sends. It is declared so that oidc-provider calls {@link
 * checkClientMetadata}, which checks all other fields.
 */
export const CHECKED_FIELD = "wireroom_application";

/**
 * Turns off oidc-provider's own redirect URI rules for applications, because they reject https URIs on this
 * machine. {@link checkClientMetadata} has already checked these URIs.
 */
export function replaceRedirectRules({ Client }: Provider): void {
  const schema = (Client as unknown as { Schema: { prototype: Schema } }).Schema.prototype;
  const { redirectUris } = schema;
  schema.redirectUris = function check(this: Schema, ...uris) {
    if (!isApplication(this.client_id)) redirectUris.apply(this, uris);
  };
}

interface Schema {
  client_id: string;
  redirectUris(...uris: unknown[]): void;
}

/**
 * Checks an application's metadata, and sets the fields that are equal for all applications. Throws
 * `invalid_client_metadata` or `invalid_redirect_uri`.
 */
export function checkClientMetadata(metadata: ClientMetadata, errors: typeof Errors): void {
  if (!isApplication(metadata.client_id)) return;
  const invalid = (problem: string) => new errors.InvalidClientMetadata(problem);
  for (const name of Object.keys(metadata)) if (!KNOWN.has(name)) delete metadata[name];

  const { client_name: name, redirect_uris: uris } = metadata as Record<string, unknown>;
  if (name !== undefined && (typeof name !== "string" || name.length > 2 * MAX_NAME_LENGTH))
    throw invalid(`client_name must be a text of at most ${MAX_NAME_LENGTH} characters`);
  if (typeof name === "string" && [...name].length > MAX_NAME_LENGTH)
    throw invalid(`client_name must have at most ${MAX_NAME_LENGTH} characters`);
  if (name === "") delete metadata.client_name;

  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw invalid(`redirect_uris must be 1 to ${MAX_REDIRECT_URIS} URIs`);
  // Remove forbidden URIs instead of rejecting the client, because some MCP hosts register one list for all
  // their products.
  const problems = uris.map((uri) => (typeof uri === "string" ? redirectUriProblem(uri) : "be texts"));
  metadata.redirect_uris = uris.filter((_, index) => problems[index] === undefined);
  if (metadata.redirect_uris.length === 0) throw invalid(`redirect_uris must ${problems[0]}`);

  // oidc-provider ignores loopback ports and accepts private-use schemes only for native applications.
  metadata.application_type = "native";
  metadata.grant_types = ["authorization_code", "refresh_token"];
  metadata.response_types = ["code"];
  metadata.response_modes = ["query"];
}
