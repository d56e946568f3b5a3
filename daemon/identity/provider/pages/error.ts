import type { ParameterizedContext } from "koa";
import type { ErrorOut } from "oidc-provider";
import { alert } from "./forms.js";
import { html, page, untrusted } from "./html.js";

const TITLE = "Sign-in failed";
const WHAT_NOW = html`<p>Start again in the terminal or the application that sent you here.</p>`;

export function errorPage(ctx: ParameterizedContext, problem: string): void {
  page(ctx, TITLE, html`${alert(problem)}${WHAT_NOW}`);
}

/** Shows an error that an application caused, with a link back to that application. */
export function returnPage(
  ctx: ParameterizedContext,
  problem: string,
  { href, host }: { href: string; host: string },
): void {
  page(ctx, TITLE, html`${alert(problem)}<p><a href="${href}">Go back to ${untrusted(host)}</a></p>`);
}

/** Shows an error that cannot be sent to the client in a redirect. */
export function providerError(ctx: ParameterizedContext, out: ErrorOut): void {
  if (out.error === "server_error") {
    errorPage(ctx, "Wireroom had an internal error. Wait a minute.");
    return;
  }
  page(
    ctx,
    TITLE,
    html`${alert("Wireroom cannot accept the request that brought you here.")}
${WHAT_NOW}
<p class="hint">For developers: <code>${untrusted(out.error)}</code>: ${untrusted(out.error_description ?? "")}</p>`,
  );
}
