/**
 * Verifies humans' ID tokens, and runs the authorization server for applications. Uses the embedded identity
 * provider unless an external provider is configured.
 */
import { now as clock } from "../../src/kernel/clock.js";
import { newSecret } from "../../src/kernel/ids.js";
import { createEmbeddedIdentity } from "./embedded.js";
import type { IdentityContext, IdentityOptions, IdentityService } from "./service.js";
import { validateIdentitySettings } from "./settings.js";
import { SourceThrottle } from "./throttle/source-throttle.js";

export type { IdentityOptions, IdentityService } from "./service.js";
export { type IdentitySettings, validateIdentitySettings } from "./settings.js";
export type { Identity, Verify } from "./verifier.js";

/** Creates the identity service. Throws an `Error` with a one-line message if a setting is invalid. */
export async function createIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { settings, store, now = clock } = options;
  validateIdentitySettings(settings);
  const context: IdentityContext = {
    ...options,
    publicOrigin: new URL(options.publicOrigin).origin,
    now,
    throttle: new SourceThrottle(now),
    hmacKey: await store.getOrCreateSecret("code-key", async () => newSecret(), now()),
  };
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  if (issuer === undefined || audience === undefined) return createEmbeddedIdentity(context);
  const { createExternalIdentity } = await import("./external/index.js");
  return createExternalIdentity(context, { issuer, audience });
}
