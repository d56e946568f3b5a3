import type { ParameterizedContext } from "koa";
import { alert, form } from "./forms.js";
import { html, page, stateOf, untrusted } from "./html.js";

/** Pages of the sign-in at an external provider. */

/** Sends the browser to the external provider, after a form. */
export function leave(ctx: ParameterizedContext, { href, host }: { href: string; host: string }): void {
  // A page and not a redirect, because `form-action` would have to name every server of the provider.
  ctx.status = 200;
  delete stateOf(ctx).notice;
  ctx.set("Refresh", `0; url=${href}`);
  page(ctx, "One moment", html`<p><a href="${href}">Continue to ${untrusted(host)}</a> to sign in.</p>`);
}

export interface SignInFailedView {
  problem: string;
  /** Host of the external provider. */
  host: string;
  /** The error that the provider reported, for developers. */
  detail?: string | undefined;
}

/** Shows why an external sign-in failed. The human tries again, or cancels. */
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
