/**
 * An external identity provider signs the humans in. With a client there, the daemon is the authorization server of applications,
 * and hands the sign-in on (docs/specification/identity.md#external-provider).
 */
import { now as clock } from "../../../src/kernel/clock.js";
import { newSecret } from "../../../src/kernel/ids.js";
import { createAuthorizationServer, MOUNT_PATH } from "../provider/authorization-server.js";
import { providerSecrets } from "../provider/secrets.js";
import type { IdentityOptions, IdentityService } from "../service.js";
import { SourceThrottle } from "../throttle/source-throttle.js";
import { createVerifier } from "../verifier.js";
import { createIssuerKeys } from "./issuer-keys.js";

/** The external provider, and the audience of its ID tokens for dashboard operations. */
interface ExternalProvider {
  issuer: string;
  audience: string;
}

/** Creates the identity service of an external provider. */
export async function createExternalIdentity(
  options: IdentityOptions,
  { issuer, audience }: ExternalProvider,
): Promise<IdentityService> {
  const { publicOrigin, settings, store, log, sourceOf, now = clock, tuning } = options;
  const keys = createIssuerKeys({ issuer, log, now, cooldown: tuning?.keyCooldown });
  const verify = createVerifier({ issuer, audience, keys, now });
  const description = { mode: "external", issuer, clientId: audience } as const;
  const { oidcClientId: clientId, oidcClientSecret: clientSecret } = settings;
  if (clientId === undefined) return { verify, describe: () => description, close: async () => {} };

  const formKey = await store.getOrCreateSecret("code-key", async () => newSecret(), now());
  const throttle = new SourceThrottle(now);
  const loadHumans = async () => {
    const [{ IssuerClient }, { externalHumans }] = await Promise.all([
      import("./issuer-client.js"),
      import("../provider/external-humans.js"),
    ]);
    // Tokens of a sign-in are issued for the client, which may be another audience than that of the dashboard.
    const verifySignIn = createVerifier({ issuer, audience: clientId, keys, now });
    const redirectUri = `${publicOrigin}${MOUNT_PATH}/callback`;
    const client = new IssuerClient({
      issuer,
      clientId,
      clientSecret,
      redirectUri,
      verify: verifySignIn,
      log,
    });
    return externalHumans({
      issuer,
      client,
      redirectUri,
      mountPath: MOUNT_PATH,
      key: formKey,
      store,
      throttle,
      sourceOf,
      log,
      now,
    });
  };
  const server = createAuthorizationServer({
    ...{ ...options, throttle, loadHumans, formKey },
    secrets: await providerSecrets(store, now()),
  });
  return {
    verify,
    middleware: server.middleware,
    describe: () => ({ ...description, authorizationServer: `${publicOrigin}${MOUNT_PATH}` }),
    close: server.close,
  };
}
