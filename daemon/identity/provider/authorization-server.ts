/** The authorization server, which the first request loads, and the deletion of its expired rows. */
import type { Middleware } from "koa";
import { MINUTE } from "../../../src/kernel/clock.js";
import { lazy } from "../../../src/kernel/lazy.js";
import { errorFields } from "../log.js";
import type { IdentityContext } from "../service.js";
import type { ProviderSecrets } from "./secrets.js";
import type { Humans } from "./sign-in/humans.js";

/** Path of the authorization server. Its issuer is the public origin followed by this path. */
export const MOUNT_PATH = "/identity";
/** Interval at which expired rows are deleted. */
const PURGE_INTERVAL_MS = 10 * MINUTE;

/** Creates the authorization server, as middleware for all paths under {@link MOUNT_PATH}. */
export function createAuthorizationServer(
  context: IdentityContext,
  loadSecrets: () => Promise<ProviderSecrets>,
  loadHumans: () => Promise<Humans>,
): { middleware: Middleware; close(): Promise<void> } {
  const { store, log, now } = context;
  // Loaded by the first request, because oidc-provider would take 10 % of the startup time.
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
