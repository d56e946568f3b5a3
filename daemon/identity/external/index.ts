/**
 * An external identity provider signs the humans in. With a client there, the daemon is the authorization
 * server of applications, and hands the sign-in on (docs/specification/identity.md#external-provider).
 */
import { createLocalJWKSet, decodeJwt } from "jose";
import { WireroomError } from "../../../src/contract/errors.js";
import { now as clock } from "../../../src/kernel/clock.js";
import { newSecret } from "../../../src/kernel/ids.js";
import { lazy } from "../../../src/kernel/lazy.js";
import { createAuthorizationServer, MOUNT_PATH } from "../provider/authorization-server.js";
import { CONSOLE_CLIENT_ID } from "../provider/client.js";
import { providerSecrets } from "../provider/secrets.js";
import type { IdentityOptions, IdentityService } from "../service.js";
import { SourceThrottle } from "../throttle/source-throttle.js";
import { createVerifier, type Verify } from "../verifier.js";
import { humanKeyOf, identityOf } from "./account-id.js";
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
  const verifyToken = createVerifier({ issuer, audiences: [audience], keys, now });
  const verifyExternal: Verify = async (authorization) => {
    const token = await verifyToken(authorization);
    return { ...token, human: humanKeyOf(token), grantId: undefined };
  };
  const description = { mode: "external", issuer, clientId: audience } as const;
  const { oidcClientId: clientId, oidcClientSecret: clientSecret } = settings;
  if (clientId === undefined)
    return { verify: verifyExternal, describe: () => description, close: async () => {} };

  const formKey = await store.getOrCreateSecret("code-key", async () => newSecret(), now());
  const throttle = new SourceThrottle(now);
  const loadHumans = async () => {
    const [{ IssuerClient }, { externalHumans }] = await Promise.all([
      import("./issuer-client.js"),
      import("../provider/external-humans.js"),
    ]);
    // Tokens of a sign-in are issued for the client, which may be another audience than that of the
    // dashboard.
    const verifySignIn = createVerifier({ issuer, audiences: [clientId], keys, now });
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
  const secrets = providerSecrets(store, now);
  const ownKeys = lazy(async () => createLocalJWKSet((await secrets()).publicKeys));
  const server = createAuthorizationServer({ ...options, throttle, loadHumans, formKey, secrets });
  const own = `${publicOrigin}${MOUNT_PATH}`;
  const verifyConsole = createVerifier({
    issuer: own,
    audiences: [CONSOLE_CLIENT_ID],
    keys: async (header, token) => (await ownKeys())(header, token),
    now,
    isOwn: true,
    // An account id contains the issuer, the subject and the e-mail address.
    maxSubjectLength: Number.POSITIVE_INFINITY,
  });
  /**
   * Accepts tokens of the provider, and those that the daemon has issued to the console for a human of the
   * provider.
   */
  const verify: Verify = async (authorization) => {
    if (settings.console === false || issuerOf(authorization) !== own) return verifyExternal(authorization);
    const token = await verifyConsole(authorization);
    const identity = identityOf(token.subject);
    if (identity?.issuer !== issuer)
      throw new WireroomError("FORBIDDEN", "the ID token is of another identity provider; sign in again");
    return { ...token, ...identity, human: humanKeyOf(identity) };
  };
  return {
    verify,
    middleware: server.middleware,
    describe: () => ({ ...description, authorizationServer: own }),
    close: server.close,
  };
}

/** Returns the issuer that a bearer token names, before the token is verified. */
function issuerOf(authorization = ""): string | undefined {
  try {
    return decodeJwt(authorization.replace(/^Bearer +/i, "")).iss;
  } catch {
    return undefined;
  }
}
