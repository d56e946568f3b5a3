import type { Middleware } from "koa";
import { Html, html, page } from "./html.js";

/**
 * Matches oidc-provider's self-submitting page. Captures the script, the form's start tag, and the fields.
 */
const SELF_SUBMITTING_PAGE =
  /<title>Submitting Callback<\/title>\s*(<script>.*?<\/script>).*?(<form method="post" action="[^"]*">)(.*?)<noscript>/s;

/**
 * Styles oidc-provider's self-submitting forms like the other pages, for browsers without scripts. The script
 * stays unchanged, because the CSP allows it by its hash.
 */
export const styleSelfSubmittingForm: Middleware = async (ctx, next) => {
  await next();
  const [, script, start, fields] =
    (typeof ctx.body === "string" && SELF_SUBMITTING_PAGE.exec(ctx.body)) || [];
  if (script === undefined || start === undefined || fields === undefined) return;
  const { status } = ctx;
  page(
    ctx,
    "One moment",
    html`${new Html(script)}
${new Html(start)}
${new Html(fields)}
<noscript><p>Press the button to go on.</p><button class="main">Continue</button></noscript>
</form>`,
  );
  ctx.status = status;
};
