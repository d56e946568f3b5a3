import { WireroomError } from "../../src/contract/errors.js";
import { now as clock } from "../../src/kernel/clock.js";
import { newSecret } from "../../src/kernel/ids.js";
import { lazy } from "../../src/kernel/lazy.js";
import { createPasswords } from "./passwords.js";
import { createAuthorizationServer, MOUNT_PATH } from "./provider/authorization-server.js";
import { CLIENT_ID, OWN_CLIENT_IDS } from "./provider/client.js";
import { providerSecrets } from "./provider/secrets.js";
import { createRegistration } from "./registration/index.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { createSignIn } from "./sign-in.js";
import { createSignInCodes } from "./sign-in-codes.js";
import { SourceThrottle } from "./throttle/source-throttle.js";
import type { Verify } from "./verifier.js";

/** Creates the embedded identity provider, which serves all paths under `/identity`. */
export async function createEmbeddedIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { publicOrigin, store, settings, log, sourceOf, now = clock, tuning } = options;
  const issuer = `${publicOrigin}${MOUNT_PATH}`;
  const codes = settings.smtpUrl === undefined ? "log" : "mail";
  const passwords = createPasswords(tuning?.scryptLog2N);
  const codeKey = await store.getOrCreateSecret("code-key", async () => newSecret(), now());
  const throttle = new SourceThrottle(now);
  const signInCodes = createSignInCodes(codeKey, now);
  const registration = await createRegistration({
    ...{
      publicOrigin,
      smtpUrl: settings.smtpUrl,
      store,
      passwords,
      throttle,
      codeKey,
      signInCodes,
      log,
      now,
    },
    signIn: (credentials) => signIn(credentials),
    mailPollMs: tuning?.mailPollMs,
  });
  const mailCode = registration.mailSignInCode;
  const signIn = createSignIn({ store, passwords, throttle, codes: signInCodes, mailCode, log, now });
  const secrets = providerSecrets(store, now);
  const loadHumans = async () => {
    const [{ cookiePrefix }, { embeddedHumans }] = await Promise.all([
      import("./provider/configuration.js"),
      import("./provider/embedded-humans.js"),
    ]);
    return embeddedHumans({
      ...{ issuer, store, signIn, throttle, sourceOf },
      passwordGrant: settings.passwordGrant !== false,
      registration: { ...registration, verifySession },
      codes,
      cookiePrefix: cookiePrefix(publicOrigin),
    });
  };
  const server = createAuthorizationServer({ ...options, secrets, formKey: codeKey, throttle, loadHumans });

  const verifier = lazy(async () => {
    const [{ createLocalJWKSet }, { createVerifier }, { publicKeys }] = await Promise.all([
      import("jose"),
      import("./verifier.js"),
      secrets(),
    ]);
    const audiences = settings.console === false ? [CLIENT_ID] : OWN_CLIENT_IDS;
    return createVerifier({ issuer, audiences, keys: createLocalJWKSet(publicKeys), now, isOwn: true });
  });

  const verify: Verify = async (authorization) => {
    const verifyToken = await verifier();
    const token = await verifyToken(authorization);
    return { ...token, human: token.subject };
  };

  const verifySession: Verify = async (authorization) => {
    const token = await verify(authorization);
    if (token.grantId === undefined || (await store.isSignedIn(token.grantId, now()))) return token;
    throw new WireroomError("FORBIDDEN", "the sign-in of this ID token has ended; sign in again");
  };

  return {
    verify,
    middleware: server.middleware,
    describe: () => ({ mode: "embedded", issuer, clientId: CLIENT_ID, authorizationServer: issuer, codes }),
    async close() {
      await Promise.all([server.close(), registration.close()]);
    },
  };
}
