import { SECOND } from "../../src/kernel/clock.js";
import type { DatabaseFacts } from "../../src/service/host/maintenance.js";
import { ask } from "../local/ask.js";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

const NAME = "identity";
const TIMEOUT = 5 * SECOND;

/** The daemon's own provider: its signing keys are in the database. */
export function checkEmbedded(facts: DatabaseFacts | undefined): Check {
  if (!facts) return ok(NAME, "embedded; its keys are made at the first start");
  if (facts.hasSigningKeys) return ok(NAME, "embedded; its signing keys are there");
  return warn(
    NAME,
    "embedded, but the database has no signing keys",
    "a daemon that was always run with --oidc-issuer has none; say the same flags here",
  );
}

/** Another provider: what the daemon reads of it can be read. Gives the time by its clock too. */
export async function checkExternal(issuer: string): Promise<{ check: Check; time?: number }> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const { status, headers, text } = await ask(url, TIMEOUT);
    const time = Date.parse(headers.get("date") ?? "");
    const document = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown };
    return {
      check: judge(issuer, url, status, document),
      ...(!Number.isNaN(time) && { time }),
    };
  } catch (error) {
    const mend = "check --oidc-issuer and the network; nobody can sign in until it answers";
    return { check: fail(NAME, `${url} cannot be had: ${reasonOf(error)}`, mend) };
  }
}

function judge(
  issuer: string,
  url: string,
  status: number,
  document: { issuer?: unknown; jwks_uri?: unknown },
): Check {
  if (status !== 200) return fail(NAME, `${url} answers ${status}`, "check --oidc-issuer");
  if (document.issuer !== issuer) {
    const named = JSON.stringify(document.issuer);
    return fail(
      NAME,
      `${url} names the issuer ${named}`,
      "give --oidc-issuer exactly as the provider spells it",
    );
  }
  if (typeof document.jwks_uri !== "string")
    return fail(NAME, `${url} names no jwks_uri`, "the provider must publish its keys");
  return ok(NAME, `${issuer} answers`);
}
