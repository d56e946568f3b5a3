import type { ParameterizedContext } from "koa";
import type { ErrorOut } from "oidc-provider";
import { alert } from "./forms.js";
import { html, page, untrusted } from "./html.js";

const TITLE = "Sign-in failed";
const WHAT_NOW = html`<p>Start again in the terminal or the application that sent you here.</p>`;

const REFUSED = html`${alert("Wireroom cannot accept the request that brought you here.")}
${WHAT_NOW}`;
const FORGOTTEN = html`${alert("Wireroom does not know the application that sent you here.")}
<p>Its registration may have been deleted, because it was not used for long. In the application, remove the server and add it again.</p>`;

export function errorPage(ctx: ParameterizedContext, problem: string): void {
  page(ctx, TITLE, html`${alert(problem)}${WHAT_NOW}`);
}

export function returnPage(
  ctx: ParameterizedContext,
  problem: string,
  { href, host }: { href: string; host: string },
): void {
  page(ctx, TITLE, html`${alert(problem)}<p><a href="${href}">Go back to ${untrusted(host)}</a></p>`);
}

/** Shows an error that cannot be sent to the client by a redirect. */
export function providerError(ctx: ParameterizedContext, out: ErrorOut): void {
  if (out.error === "server_error") {
    errorPage(ctx, "Wireroom had an internal error. Wait a minute.");
    return;
  }
  page(
    ctx,
    TITLE,
    html`${isForgottenClient(out) ? FORGOTTEN : REFUSED}
<p class="hint">For developers: <code>${untrusted(out.error)}</code>: ${untrusted(out.error_description ?? "")}</p>`,
  );
}

/**
 * Returns whether the client's registration was deleted. An invalid metadata document has another
 * description.
 */
function isForgottenClient({ error, error_description }: ErrorOut): boolean {
  return error === "invalid_client" && error_description === "client is invalid";
}
