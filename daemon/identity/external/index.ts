/**
 * Identity with an external provider, where humans sign in. If the daemon has a client id at that provider,
 * the daemon is also the authorization server for applications
 * (docs/specification/identity.md#external-provider).
 */
import { createLocalJWKSet, decodeJwt } from "jose";
import { WireroomError } from "../../../src/contract/errors.js";
import { lazy } from "../../../src/kernel/lazy.js";
import { createAuthorizationServer, MOUNT_PATH } from "../provider/authorization-server.js";
import { CONSOLE_CLIENT_ID } from "../provider/clients/own-clients.js";
import { providerSecrets } from "../provider/secrets.js";
import type { IdentityContext, IdentityService } from "../service.js";
import { createVerifier, type Verify } from "../verifier.js";
import { humanKeyOf, identityOf } from "./account-id.js";
import { createIssuerKeys } from "./issuer-keys.js";

interface ExternalProvider {
  issuer: string;
  audience: string;
}

export async function createExternalIdentity(
  context: IdentityContext,
  { issuer, audience }: ExternalProvider,
): Promise<IdentityService> {
  const { publicOrigin, settings, log, now, tuning } = context;
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

  const loadHumans = async () => {
    const [{ IssuerClient }, { ExternalHumans }] = await Promise.all([
      import("./issuer-client.js"),
      import("../provider/sign-in/external-humans.js"),
    ]);
    // The provider issues sign-in tokens to this client id, which may differ from the dashboard's audience.
    const verifySignIn = createVerifier({ issuer, audiences: [clientId], keys, now });
    const redirectUri = `${publicOrigin}${MOUNT_PATH}/callback`;
    const issuerClient = { issuer, clientId, clientSecret, redirectUri, verify: verifySignIn, log };
    return new ExternalHumans(context, issuer, new IssuerClient(issuerClient), redirectUri);
  };
  const secrets = providerSecrets(context);
  const ownKeys = lazy(async () => createLocalJWKSet((await secrets()).publicKeys));
  const server = createAuthorizationServer(context, secrets, loadHumans);
  const own = `${publicOrigin}${MOUNT_PATH}`;
  const verifyConsole = createVerifier({
    issuer: own,
    audiences: [CONSOLE_CLIENT_ID],
    keys: async (header, token) => (await ownKeys())(header, token),
    now,
    isOwn: true,
    // The subject is an account id, which may be long because it encodes the issuer, subject and e-mail
    // address.
    maxSubjectLength: Number.POSITIVE_INFINITY,
  });
  /** Accepts the external provider's tokens, and the tokens that the daemon has issued to the console. */
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

function issuerOf(authorization = ""): string | undefined {
  try {
    return decodeJwt(authorization.replace(/^Bearer +/i, "")).iss;
  } catch {
    return undefined;
  }
}
