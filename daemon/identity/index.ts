/**
 * Identity of humans. This module verifies ID tokens. It also runs the embedded provider, unless an external
 * provider is configured, and the authorization server of applications.
 */
import { createEmbeddedIdentity } from "./embedded.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { validateIdentitySettings } from "./settings.js";

export type { IdentityStore, ProviderRecord } from "./identity-store.js";
export type { IdentityOptions, IdentityService } from "./service.js";
export { type IdentitySettings, validateIdentitySettings } from "./settings.js";
export type { Identity, Verify } from "./verifier.js";

/** Creates the identity service. Throws an `Error` with a one-line message if a setting is invalid. */
export async function createIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { settings } = options;
  validateIdentitySettings(settings);
  const withOrigin = { ...options, publicOrigin: new URL(options.publicOrigin).origin };
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  if (issuer !== undefined && audience !== undefined) {
    const { createExternalIdentity } = await import("./external/index.js");
    return createExternalIdentity(withOrigin, { issuer, audience });
  }
  return createEmbeddedIdentity(withOrigin);
}
