/** Human accounts: verifies ID tokens and, unless an external issuer is set, runs the provider that issues them. */
import { now as clock } from "../../src/kernel/clock.js";
import { createEmbedded } from "./embedded.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { checkSettings } from "./settings.js";

export type { IdentityStore, ProviderRecord } from "./identity-store.js";
export type { IdentityOptions, IdentityService } from "./service.js";
export { checkSettings, type IdentitySettings } from "./settings.js";
export type { Identity, Verify } from "./verifier.js";

/** Throws an `Error` of one line where a setting makes no sense. */
export async function createIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { settings, log, now = clock, tuning } = options;
  checkSettings(settings);
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  if (issuer !== undefined && audience !== undefined) {
    const [{ issuerKeys }, { createVerifier }] = await Promise.all([
      import("./issuer-keys.js"),
      import("./verifier.js"),
    ]);
    const keys = issuerKeys({ issuer, log, now, cooldown: tuning?.keyCooldown });
    return {
      verify: createVerifier({ issuer, audience, keys, now }),
      describe: () => ({ mode: "external", issuer, clientId: audience }),
      close: async () => {},
    };
  }
  return createEmbedded({ ...options, publicOrigin: new URL(options.publicOrigin).origin });
}
