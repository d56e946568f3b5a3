import type { Middleware } from "koa";
import { now as clock, MINUTE } from "../../../src/kernel/clock.js";
import { lazy } from "../../../src/kernel/lazy.js";
import { errorFields } from "../log.js";
import type { IdentityOptions } from "../service.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import type { Humans } from "./humans.js";
import type { ProviderSecrets } from "./secrets.js";

/** Path of the authorization server. Its issuer is the public origin followed by this path. */
export const MOUNT_PATH = "/identity";
/** Interval at which expired rows are deleted. */
const PURGE_INTERVAL_MS = 10 * MINUTE;

export interface AuthorizationServerOptions extends IdentityOptions {
  secrets: () => Promise<ProviderSecrets>;
  /** HMAC key of the one-time tokens of forms. */
  formKey: string;
  throttle: SourceThrottle;
  loadHumans(): Promise<Humans>;
}

export interface AuthorizationServer {
  /** Serves all paths under {@link MOUNT_PATH}. */
  middleware: Middleware;
  close(): Promise<void>;
}

/** Creates the authorization server, and deletes its expired rows from time to time. */
export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { store, log, loadHumans, secrets: loadSecrets, now = clock, tuning, ...rest } = options;
  // Loaded by the first request, because oidc-provider would take 10 % of the startup time.
  const provider = lazy(async () => {
    const [{ createProvider }, humans, secrets] = await Promise.all([
      import("./index.js"),
      loadHumans(),
      loadSecrets(),
    ]);
    const { testServers } = tuning ?? {};
    const hasConsole = rest.settings.console !== false;
    return createProvider({
      ...rest,
      mountPath: MOUNT_PATH,
      hasConsole,
      humans,
      secrets,
      store,
      log,
      now,
      testServers,
    });
  });

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
