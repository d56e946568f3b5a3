/** Checks the services on which a daemon depends: database server, identity provider and mail server. */
import { SECOND } from "../../src/kernel/clock.js";
import type { DatabaseInfo } from "../../src/store/engine/sqlite/inspect.js";
import { httpGet } from "../local/find.js";
import { withoutPassword } from "../settings.js";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

const TIMEOUT_MS = 5 * SECOND;
const IDENTITY = "identity";
const MAIL = "mail";

export async function checkPostgres(databaseUrl: string): Promise<Check[]> {
  const name = withoutPassword(databaseUrl);
  try {
    const { inspectServer } = await import("../../src/store/engine/postgres/inspect.js");
    const { version, pendingMigrations: pending } = await inspectServer(databaseUrl);
    const migrations =
      pending === 0
        ? "up to date"
        : `${pending} migrations pending; the next start of the daemon applies them`;
    return [ok("database", `${name} responds (PostgreSQL ${version})`), ok("schema", migrations)];
  } catch (error) {
    return [
      fail(
        "database",
        `${name}: ${messageOf(error)}`,
        "fix the database as in docs/scaling.md, then run: wireroom doctor",
      ),
    ];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.name === "StoreRefused" ? error.message : reasonOf(error);
}

/** @param isRunning whether a daemon runs, which has created the secrets */
export function checkEmbedded(facts: DatabaseInfo | undefined, isRunning: boolean): Check {
  if (!facts && !isRunning)
    return ok(IDENTITY, "embedded provider; the first start of a daemon creates its secrets");
  if (!facts || facts.hasIdentitySecrets) return ok(IDENTITY, "embedded provider, with its secrets");
  return warn(
    IDENTITY,
    "embedded provider, but the database has no secrets of it",
    "if the daemon runs with --oidc-issuer, give the same flag to this command",
  );
}

/** Checks an external provider's discovery document, and reads the provider's clock. */
export async function checkExternal(issuer: string): Promise<{ check: Check; time?: number }> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const { status, headers, text } = await httpGet(url, TIMEOUT_MS);
    const time = Date.parse(headers.get("date") ?? "");
    const document = JSON.parse(text) as { issuer?: unknown; jwks_uri?: unknown };
    return {
      check: checkDiscovery(issuer, url, status, document),
      ...(!Number.isNaN(time) && { time }),
    };
  } catch (error) {
    const mend = "check --oidc-issuer and the network; no human can sign in until the provider responds";
    return { check: fail(IDENTITY, `${url} cannot be loaded: ${reasonOf(error)}`, mend) };
  }
}

function checkDiscovery(
  issuer: string,
  url: string,
  status: number,
  document: { issuer?: unknown; jwks_uri?: unknown },
): Check {
  if (status !== 200) return fail(IDENTITY, `${url} responds with status ${status}`, "check --oidc-issuer");
  if (document.issuer !== issuer) {
    const named = JSON.stringify(document.issuer);
    return fail(IDENTITY, `${url} names the issuer ${named}`, "set --oidc-issuer to exactly this value");
  }
  if (typeof document.jwks_uri !== "string")
    return fail(IDENTITY, `${url} has no jwks_uri`, "the provider must publish its signing keys");
  return ok(IDENTITY, `external provider ${issuer} responds`);
}

export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  if (smtpUrl === undefined)
    return ok(MAIL, "no mail server is configured; the daemon writes confirmation codes to its log");
  const url = new URL(smtpUrl);
  url.searchParams.delete("from");
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: url.href,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return ok(MAIL, `${url.host} responds`);
  } catch (error) {
    return fail(
      MAIL,
      `${url.host} does not accept mail: ${reasonOf(error)}`,
      "check --smtp-url and the network; no sign-up can be confirmed until the mail server responds",
    );
  } finally {
    transport.close();
  }
}
