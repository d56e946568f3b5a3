/**
 * Identity of humans. This module verifies ID tokens. It also runs the embedded provider, unless an external provider is
 * configured.
 */
import { now as clock } from "../../src/kernel/clock.js";
import { createEmbeddedIdentity } from "./embedded.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { validateIdentitySettings } from "./settings.js";

export type { IdentityStore, ProviderRecord } from "./identity-store.js";
export type { IdentityOptions, IdentityService } from "./service.js";
export { type IdentitySettings, validateIdentitySettings } from "./settings.js";
export type { Identity, Verify } from "./verifier.js";

/** Creates the identity service. Throws an `Error` with a one-line message if a setting is invalid. */
export async function createIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { settings, log, now = clock, tuning } = options;
  validateIdentitySettings(settings);
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  if (issuer !== undefined && audience !== undefined) {
    const [{ createIssuerKeys }, { createVerifier }] = await Promise.all([
      import("./issuer-keys.js"),
      import("./verifier.js"),
    ]);
    const keys = createIssuerKeys({ issuer, log, now, cooldown: tuning?.keyCooldown });
    return {
      verify: createVerifier({ issuer, audience, keys, now }),
      describe: () => ({ mode: "external", issuer, clientId: audience }),
      close: async () => {},
    };
  }
  return createEmbeddedIdentity({ ...options, publicOrigin: new URL(options.publicOrigin).origin });
}
