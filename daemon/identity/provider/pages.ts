import type { ParameterizedContext } from "koa";
import type { Client, ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { type Html, html, page } from "./html.js";

/** The pages that a person sees in the browser: sign-in, user code of the device flow, sign-out, errors. */

export interface SignInView {
  email?: string;
  /** What went wrong with the last try. */
  problem?: string;
}

export function signIn(ctx: ParameterizedContext, { email = "", problem }: SignInView): void {
  page(
    ctx,
    "Sign in",
    html`${alert(problem)}
<form method="post">
<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="username" required ${email === "" && html`autofocus`}></label>
<label>Password
<input type="password" name="password" autocomplete="current-password" required ${email !== "" && html`autofocus`}></label>
<button class="main" name="action" value="sign-in">Sign in</button>
</form>
${cancelForm}`,
  );
}

/** Someone has a session already: a native client still needs a person's word (RFC 8252, 8.6). */
export function goOn(ctx: ParameterizedContext, email: string): void {
  page(
    ctx,
    "Sign in",
    html`<p>The Wireroom command line asks to act for you. Go on only if you have just started it.</p>
<form method="post">
<button class="main" name="action" value="continue">Continue as ${email}</button>
<button name="action" value="switch">Use another account</button>
</form>
${cancelForm}`,
  );
}

const cancelForm = html`<form method="post"><button name="action" value="cancel">Cancel</button></form>`;

/** Device flow, first page: the code that the terminal shows. */
export function userCodeInput(ctx: KoaContextWithOIDC, _form: string, _out?: ErrorOut, error?: Error): void {
  const { session } = ctx.oidc;
  if (error && session && session.exp === undefined) {
    // A form from nowhere: there is no session yet, and the provider fails on saving one that it has not stored before.
    Object.assign(session, { touched: false });
    failed(ctx, "This page has expired, or cookies are switched off.");
    return;
  }
  const userCode = (error as { userCode?: string } | undefined)?.userCode ?? "";
  page(
    ctx,
    "Enter the code",
    html`${alert(userCodeProblem(error))}
<p>Enter the code that your terminal shows.</p>
<form method="post" action="${ctx.oidc.urlFor("code_verification")}">
${xsrf(ctx)}
<label>Code
<input name="user_code" value="${userCode}" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus></label>
<button class="main">Continue</button>
</form>`,
  );
}

function userCodeProblem(error: Error | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (error.name === "AbortedError") return "The sign-in was cancelled.";
  if (error.name === "NoCodeError" || "userCode" in error)
    return "This code is wrong, used or expired. Try again.";
  return "The sign-in did not work. Start again in your terminal.";
}

/** Device flow, second page: is it the code of one's own terminal? (RFC 8628, 5.4: remote phishing) */
export function userCodeConfirm(
  ctx: KoaContextWithOIDC,
  _form: string,
  _client: Client,
  _device: unknown,
  userCode: string,
): void {
  page(
    ctx,
    "Check the code",
    html`<p>Your terminal should show this code:</p>
<p><code>${userCode}</code></p>
<p>Cancel if it shows another one, or if you have not started a sign-in yourself.</p>
<form method="post" action="${ctx.oidc.urlFor("code_verification")}">
${xsrf(ctx)}
<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="confirm" value="yes">
<button class="main" autofocus>Continue</button>
<button name="abort" value="yes">Cancel</button>
</form>`,
  );
}

export function deviceDone(ctx: KoaContextWithOIDC): void {
  page(ctx, "You are signed in", html`<p>Go back to your terminal. This page can be closed.</p>`);
}

export function signOut(ctx: KoaContextWithOIDC): void {
  page(
    ctx,
    "Sign out",
    html`<p>End the session in this browser?</p>
<form method="post" action="${ctx.oidc.urlFor("end_session_confirm")}">
${xsrf(ctx)}
<button class="main" name="logout" value="yes" autofocus>Sign out</button>
<button>Stay signed in</button>
</form>`,
  );
}

export function signedOut(ctx: KoaContextWithOIDC): void {
  page(ctx, "You are signed out", html`<p>This page can be closed.</p>`);
}

/** An error for which there is no client to send it to. */
export function providerError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  failed(ctx, out.error_description ?? out.error);
}

export function failed(ctx: ParameterizedContext, problem: string): void {
  page(ctx, "This did not work", html`${alert(problem)}<p>Start again where you came from.</p>`);
}

function alert(problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`<p role="alert">${problem}</p>`;
}

/** The secret that the provider has put into the session, and expects back. */
function xsrf(ctx: KoaContextWithOIDC): Html {
  const secret = (ctx.oidc.session?.state as { secret?: string } | undefined)?.secret ?? "";
  return html`<input type="hidden" name="xsrf" value="${secret}">`;
}
