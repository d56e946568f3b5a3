import { SECOND } from "../../src/kernel/clock.js";
import type { DatabaseInfo } from "../../src/store/engine/sqlite/inspect.js";
import { httpGet } from "../local/find.js";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

const NAME = "identity";
const TIMEOUT = 5 * SECOND;

/** Checks that the database contains the embedded identity provider's secrets. */
export function checkEmbedded(facts: DatabaseInfo | undefined): Check {
  if (!facts) return ok(NAME, "embedded provider; the first start will create its secrets");
  if (facts.hasIdentitySecrets) return ok(NAME, "embedded provider, with its secrets");
  return warn(
    NAME,
    "embedded provider, but the database has no secrets of it",
    "if the daemon runs with --oidc-issuer, give the same flag to this command",
  );
}

/** Checks an external provider's discovery document. Also returns the provider's time. */
export async function checkExternal(issuer: string): Promise<{ check: Check; time?: number }> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const { status, headers, text } = await httpGet(url, TIMEOUT);
    const time = Date.parse(headers.get("date") ?? "");
    const document = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown };
    return {
      check: checkDiscovery(issuer, url, status, document),
      ...(!Number.isNaN(time) && { time }),
    };
  } catch (error) {
    const mend = "check --oidc-issuer and the network; no human can sign in until the provider responds";
    return { check: fail(NAME, `${url} cannot be loaded: ${reasonOf(error)}`, mend) };
  }
}

function checkDiscovery(
  issuer: string,
  url: string,
  status: number,
  document: { issuer?: unknown; jwks_uri?: unknown },
): Check {
  if (status !== 200) return fail(NAME, `${url} responds with status ${status}`, "check --oidc-issuer");
  if (document.issuer !== issuer) {
    const named = JSON.stringify(document.issuer);
    return fail(NAME, `${url} names the issuer ${named}`, "set --oidc-issuer to exactly this value");
  }
  if (typeof document.jwks_uri !== "string")
    return fail(NAME, `${url} has no jwks_uri`, "the provider must publish its signing keys");
  return ok(NAME, `external provider ${issuer} responds`);
}
