import { createLocalJWKSet } from "jose";
import { now as clock, MINUTE } from "../../src/kernel/clock.js";
import { newSecret } from "../../src/kernel/ids.js";
import { createAccounts } from "./accounts.js";
import { failure } from "./log.js";
import { createMailer } from "./mail.js";
import { createPasswords } from "./passwords.js";
import { CLIENT_ID } from "./provider/client.js";
import { createProvider } from "./provider/index.js";
import type { IdentityOptions, IdentityService } from "./service.js";
import { createVerifier } from "./verifier.js";

const MOUNT_PATH = "/identity";
/** How often what has expired is deleted, in ms. */
const PURGE_EVERY = 10 * MINUTE;

/** The daemon's own identity provider under `{origin}/identity`. */
export async function createEmbedded(options: IdentityOptions): Promise<IdentityService> {
  const { publicOrigin, store, settings, log, now = clock, tuning } = options;
  const issuer = `${publicOrigin}${MOUNT_PATH}`;
  const mailer = createMailer({ smtpUrl: settings.smtpUrl, publicOrigin, log });
  const accounts = createAccounts({
    store,
    passwords: createPasswords(tuning?.scryptLog2N),
    mailer,
    codeKey: await store.secret("code-key", async () => newSecret(), now()),
    now,
  });
  const { middleware, publicKeys } = await createProvider({
    publicOrigin,
    mountPath: MOUNT_PATH,
    store,
    accounts,
    log,
    now,
  });

  let purged = Promise.resolve();
  const purge = () => {
    purged = store.purge(now()).catch((error) => log.error(failure(error), "purging failed"));
  };
  purge();
  const timer = setInterval(purge, PURGE_EVERY);
  timer.unref();

  return {
    verify: createVerifier({ issuer, audience: CLIENT_ID, keys: createLocalJWKSet(publicKeys), now }),
    middleware,
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
