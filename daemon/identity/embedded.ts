/** The embedded identity provider, where humans sign in with an e-mail address and a password. */
import { WireroomError } from "../../src/contract/errors.js";
import { lazy } from "../../src/kernel/lazy.js";
import { Passwords } from "./passwords.js";
import { createAuthorizationServer, MOUNT_PATH } from "./provider/authorization-server.js";
import { CLIENT_ID, OWN_CLIENT_IDS } from "./provider/clients/own-clients.js";
import { providerSecrets } from "./provider/secrets.js";
import { createMailer } from "./registration/mail.js";
import { MailQueue } from "./registration/mail-queue.js";
import { PasswordChanges } from "./registration/password-changes.js";
import { SignUps } from "./registration/sign-ups.js";
import type { IdentityContext, IdentityService } from "./service.js";
import { createSignIn } from "./sign-in.js";
import { SignInCodes } from "./sign-in-codes.js";
import type { Verify } from "./verifier.js";

export async function createEmbeddedIdentity(context: IdentityContext): Promise<IdentityService> {
  const { publicOrigin, store, settings, now, tuning } = context;
  const issuer = `${publicOrigin}${MOUNT_PATH}`;
  const codes = settings.smtpUrl === undefined ? "log" : "mail";
  const passwords = new Passwords(tuning?.scryptLog2N);
  const signInCodes = new SignInCodes(context);
  const mails = new MailQueue(context, await createMailer(context), signInCodes);
  const signIn = createSignIn(context, passwords, signInCodes, mails);
  const secrets = providerSecrets(context);
  // Accounts are stored under the first issuer, so that humans keep them when the port or the public URL
  // changes.
  const accountIssuer = lazy(() => store.getOrCreateSecret("account-issuer", async () => issuer, now()));
  const loadHumans = async () => {
    const { EmbeddedHumans } = await import("./provider/sign-in/embedded-humans.js");
    return new EmbeddedHumans(context, {
      ...{ accountIssuer: await accountIssuer(), signIn, codes, verifySession },
      signUps: new SignUps(context, passwords, mails),
      passwordChanges: new PasswordChanges(context, passwords, signIn, mails),
    });
  };
  const server = createAuthorizationServer(context, secrets, loadHumans);

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
    return { ...token, issuer: await accountIssuer(), human: token.subject };
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
      await Promise.all([server.close(), mails.close()]);
    },
  };
}
