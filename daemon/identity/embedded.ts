import type { Middleware } from "koa";
import { now as clock, MINUTE } from "../../src/kernel/clock.js";
import { newSecret } from "../../src/kernel/ids.js";
import { errorFields } from "./log.js";
import { createPasswords } from "./passwords.js";
import { GRANT_CLAIM } from "./provider/account.js";
import { CLIENT_ID } from "./provider/client.js";
import { providerSecrets } from "./provider/secrets.js";
import { createRegistration } from "./registration/index.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { createSignIn } from "./sign-in.js";
import { createSignInCodes } from "./sign-in-codes.js";
import { SourceThrottle } from "./throttle/source-throttle.js";
import type { Verify } from "./verifier.js";

const MOUNT_PATH = "/identity";
/** Interval at which expired rows are deleted. */
const PURGE_INTERVAL_MS = 10 * MINUTE;

/** Creates the embedded identity provider, which serves all paths under `/identity`. */
export async function createEmbeddedIdentity(options: IdentityOptions): Promise<IdentityService> {
  const { publicOrigin, store, connections, settings, log, sourceOf, now = clock, tuning } = options;
  const issuer = `${publicOrigin}${MOUNT_PATH}`;
  const codes = settings.smtpUrl === undefined ? "log" : "mail";
  const passwords = createPasswords(tuning?.scryptLog2N);
  const codeKey = await store.getOrCreateSecret("code-key", async () => newSecret(), now());
  const throttle = new SourceThrottle(now);
  const signInCodes = createSignInCodes(codeKey, now);
  const registration = await createRegistration({
    ...{ publicOrigin, smtpUrl: settings.smtpUrl, store, passwords, codeKey, signInCodes, log, now },
    signIn: (credentials) => signIn(credentials),
    mailPollMs: tuning?.mailPollMs,
  });
  const mailCode = registration.mailSignInCode;
  const signIn = createSignIn({ store, passwords, throttle, codes: signInCodes, mailCode, log, now });
  const secrets = await providerSecrets(store, now());
  let provider: Promise<Middleware> | undefined;
  // Loaded by the first request, because oidc-provider would take 10 % of the startup time.
  const loadProvider = async () => {
    const [{ createProvider }, { cookiePrefix }, { embeddedHumans }] = await Promise.all([
      import("./provider/index.js"),
      import("./provider/configuration.js"),
      import("./provider/embedded-humans.js"),
    ]);
    const humans = embeddedHumans({
      ...{ issuer, store, signIn, throttle, sourceOf },
      passwordGrant: settings.passwordGrant !== false,
      registration: { ...registration, verifySession },
      codes,
      cookiePrefix: cookiePrefix(publicOrigin),
    });
    return createProvider({
      ...{ publicOrigin, mountPath: MOUNT_PATH, humans, secrets, formKey: codeKey },
      ...{ store, connections, throttle, sourceOf, log, now, testServers: tuning?.testServers },
    });
  };

  let verifier: Promise<Verify> | undefined;
  const loadVerifier = async () => {
    const [{ createLocalJWKSet }, { createVerifier }] = await Promise.all([
      import("jose"),
      import("./verifier.js"),
    ]);
    const keys = createLocalJWKSet(secrets.publicKeys);
    return createVerifier({ issuer, audience: CLIENT_ID, keys, now });
  };

  const verify: Verify = async (authorization) => {
    verifier ??= loadVerifier();
    return (await verifier)(authorization);
  };
  const verifySession = async (authorization: string) => {
    const [{ email }, { decodeJwt }] = await Promise.all([verify(authorization), import("jose")]);
    const { [GRANT_CLAIM]: grantId } = decodeJwt(authorization.replace(/^Bearer +/i, ""));
    return { email, ...(typeof grantId === "string" && { grantId }) };
  };

  let purged = Promise.resolve();
  const purge = () => {
    purged = store
      .purge(now())
      .catch((error) => log.error(errorFields(error), "deleting expired sign-ups and tokens failed"));
  };
  purge();
  const timer = setInterval(purge, PURGE_INTERVAL_MS);
  timer.unref();

  return {
    verify,
    async middleware(ctx, next) {
      provider ??= loadProvider();
      return (await provider)(ctx, next);
    },
    describe: () => ({ mode: "embedded", issuer, clientId: CLIENT_ID, codes }),
    async close() {
      clearInterval(timer);
      await Promise.all([purged, registration.close()]);
    },
  };
}
