import type { ParameterizedContext } from "koa";
import { alert, form } from "./forms.js";
import { html, page, stateOf, untrusted } from "./html.js";

/** Pages for the sign-in at an external provider. */

export function leave(ctx: ParameterizedContext, { href, host }: { href: string; host: string }): void {
  // Send a page instead of a redirect. `form-action` also applies to redirects, and would have to list all of
  // the provider's servers.
  ctx.status = 200;
  delete stateOf(ctx).notice;
  ctx.set("Refresh", `0; url=${href}`);
  page(ctx, "One moment", html`<p><a href="${href}">Continue to ${untrusted(host)}</a> to sign in.</p>`);
}

export interface SignInFailedView {
  problem: string;
  host: string;
  /** The provider's error text, for developers. */
  detail?: string | undefined;
}

export function signInFailed(ctx: ParameterizedContext, { problem, host, detail }: SignInFailedView): void {
  page(
    ctx,
    "Sign-in failed",
    html`${alert(problem)}
<p>You sign in to Wireroom at ${untrusted(host)}.</p>
${form(
  ctx,
  html`<button class="main" name="action" value="sign-in">Try again</button>
<button name="action" value="switch">Use another account</button>
<button name="action" value="cancel">Cancel</button>`,
)}
${detail !== undefined && html`<p class="hint">For developers: <code>${untrusted(detail)}</code></p>`}`,
    { isProblem: true },
  );
}
