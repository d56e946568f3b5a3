import type { Middleware } from "koa";
import { now as clock, MINUTE } from "../../src/kernel/clock.js";
import { newSecret } from "../../src/kernel/ids.js";
import { createAccounts } from "./accounts.js";
import { failure } from "./log.js";
import { createMailer } from "./mail.js";
import { createPasswords } from "./passwords.js";
import { CLIENT_ID } from "./provider/client.js";
import { providerSecrets } from "./provider/secrets.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import type { Verify } from "./verifier.js";

const MOUNT_PATH = "/identity";
/** How often what has expired is deleted, in ms. */
const PURGE_EVERY = 10 * MINUTE;

/** The daemon's own identity provider under `{origin}/identity`. */
export async function createEmbedded(options: IdentityOptions): Promise<IdentityService> {
  const { publicOrigin, store, settings, log, now = clock, tuning } = options;
  const issuer = `${publicOrigin}${MOUNT_PATH}`;
  const mailer = await createMailer({ smtpUrl: settings.smtpUrl, publicOrigin, log });
  const accounts = createAccounts({
    store,
    passwords: createPasswords(tuning?.scryptLog2N),
    mailer,
    codeKey: await store.secret("code-key", async () => newSecret(), now()),
    now,
  });
  const secrets = await providerSecrets(store, now());
  let provider: Promise<Middleware> | undefined;
  // Loaded with the first request to it: its package would take a tenth of each start.
  const loadProvider = async () => {
    const { createProvider } = await import("./provider/index.js");
    return createProvider({ publicOrigin, mountPath: MOUNT_PATH, secrets, store, accounts, log, now });
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

  let purged = Promise.resolve();
  const purge = () => {
    purged = store.purge(now()).catch((error) => log.error(failure(error), "purging failed"));
  };
  purge();
  const timer = setInterval(purge, PURGE_EVERY);
  timer.unref();

  return {
    async verify(authorization) {
      verifier ??= loadVerifier();
      return (await verifier)(authorization);
    },
    async middleware(ctx, next) {
      provider ??= loadProvider();
      return (await provider)(ctx, next);
    },
    describe: () => ({
      mode: "embedded",
      issuer,
      clientId: CLIENT_ID,
      codes: settings.smtpUrl === undefined ? "log" : "mail",
    }),
    async close() {
      clearInterval(timer);
      await Promise.all([purged, mailer.close()]);
    },
  };
}
