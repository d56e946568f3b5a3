/** Loads the authorization server at the first request, and deletes its expired rows. */
import type { Middleware } from "koa";
import { MINUTE } from "../../../src/kernel/clock.js";
import { lazy } from "../../../src/kernel/lazy.js";
import { errorFields } from "../log.js";
import type { IdentityContext } from "../service.js";
import type { ProviderSecrets } from "./secrets.js";
import type { Humans } from "./sign-in/humans.js";

/** The issuer is the public origin followed by this path. */
export const MOUNT_PATH = "/identity";
const PURGE_INTERVAL_MS = 10 * MINUTE;

export function createAuthorizationServer(
  context: IdentityContext,
  loadSecrets: () => Promise<ProviderSecrets>,
  loadHumans: () => Promise<Humans>,
): { middleware: Middleware; close(): Promise<void> } {
  const { store, log, now } = context;
  // Load oidc-provider at the first request, because it would delay the start.
  const provider = lazy(async () => {
    const [{ createProvider }, humans, secrets] = await Promise.all([
      import("./index.js"),
      loadHumans(),
      loadSecrets(),
    ]);
    return createProvider(context, MOUNT_PATH, humans, secrets);
  });

  let purged = Promise.resolve();
  const purge = () => {
    purged = store
      .purge(now())
      .catch((error) => log.error(errorFields(error), "deleting expired sign-ups and tokens failed"));
  };
  purge();
  const timer = setInterval(purge, PURGE_INTERVAL_MS).unref();

  return {
    async middleware(ctx, next) {
      const serve = await provider();
      return serve(ctx, next);
    },
    async close() {
      clearInterval(timer);
      await purged;
    },
  };
}
