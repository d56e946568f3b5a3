import type { ParameterizedContext } from "koa";
import type { Client, ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { type Html, html, page } from "./html.js";

/** HTML pages for humans: the sign-in form, the code of the device flow, sign-out and errors. */

export interface SignInView {
  email?: string;
  /** The previous attempt was wrong. */
  isWrong?: boolean;
  /** A code that was mailed to the address is needed. */
  needsCode?: boolean;
  /** There were too many attempts. */
  isThrottled?: boolean;
  /** The password was just changed. */
  isChanged?: boolean;
}

export function signIn(ctx: ParameterizedContext, { email = "", ...previous }: SignInView): void {
  page(
    ctx,
    "Sign in",
    html`${alert(signInProblem(previous))}
${previous.isChanged && html`<p role="status">Your password was changed. Sign in with the new one.</p>`}
<form method="post" action="?">
<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="username" required ${email === "" && html`autofocus`}></label>
<label>Password
<input type="password" name="password" autocomplete="current-password" required ${email !== "" && html`autofocus`}></label>
${previous.needsCode && codeField}
<button class="main" name="action" value="sign-in">Sign in</button>
</form>
<p><a href="?page=forgot">Forgot your password?</a></p>
<p><a href="?page=sign-up">Create an account</a></p>
${cancelForm}`,
  );
}

const codeField = html`<label>Code from the e-mail
<input name="code" autocomplete="one-time-code" inputmode="numeric" required></label>`;

function signInProblem({ isWrong, needsCode, isThrottled }: SignInView): string | undefined {
  if (isThrottled) return "Too many failed attempts. Try again in a few minutes.";
  if (isWrong)
    return `The e-mail address${needsCode ? ", the password or the code" : " or the password"} is wrong.`;
  if (needsCode)
    return "There were too many wrong passwords for this address. If it has an account, a code was sent to it. Enter the password and the code.";
  return undefined;
}

/** Shows a page on which a human with a session confirms the sign-in. RFC 8252, section 8.6 requires this for native clients. */
export function confirmSignIn(ctx: ParameterizedContext, email: string): void {
  page(
    ctx,
    "Sign in",
    html`<p>The Wireroom command line requests access to your account. Continue only if you have just started a sign-in there.</p>
<form method="post">
<button class="main" name="action" value="continue">Continue as ${email}</button>
<button name="action" value="switch">Use another account</button>
</form>
${cancelForm}`,
  );
}

const cancelForm = html`<form method="post"><button name="action" value="cancel">Cancel</button></form>`;

/** First page of the device flow: the form for the code that the terminal displays. */
export function userCodeInput(ctx: KoaContextWithOIDC, _form: string, _out?: ErrorOut, error?: Error): void {
  const { session } = ctx.oidc;
  if (error && session && session.exp === undefined) {
    // The form was sent without a session. oidc-provider throws when it saves a session that was never stored. Without
    // `touched`, it does not save the session.
    Object.assign(session, { touched: false });
    errorPage(ctx, "This page has expired, or your browser blocks cookies.");
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
  if ("status" in error && error.status === 429)
    return "Too many wrong codes from your network. Try again in a few minutes.";
  if (error.name === "NoCodeError" || "userCode" in error)
    return "This code is wrong, already used or expired. Enter the code again, or start again in your terminal.";
  return "The sign-in failed. Start again in your terminal.";
}

/**
 * Second page of the device flow: the human confirms the code. The confirmation protects against phishing (RFC 8628, section
 * 5.4).
 */
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
<p>Cancel if your terminal shows another code, or if you have not started a sign-in yourself.</p>
<form method="post" action="${ctx.oidc.urlFor("code_verification")}">
${xsrf(ctx)}
<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="confirm" value="yes">
<button class="main" autofocus>Continue</button>
<button name="abort" value="yes">Cancel</button>
</form>`,
  );
}

export function deviceSignedIn(ctx: KoaContextWithOIDC): void {
  page(ctx, "You are signed in", html`<p>Return to your terminal. You can close this page.</p>`);
}

export function signOut(ctx: KoaContextWithOIDC): void {
  page(
    ctx,
    "Sign out",
    html`<p>Do you want to sign out in this browser?</p>
<form method="post" action="${ctx.oidc.urlFor("end_session_confirm")}">
${xsrf(ctx)}
<button class="main" name="logout" value="yes" autofocus>Sign out</button>
<button>Stay signed in</button>
</form>`,
  );
}

export function signedOut(ctx: KoaContextWithOIDC): void {
  page(ctx, "You are signed out", html`<p>You can close this page.</p>`);
}

/** Shows an error that oidc-provider cannot send to the client by a redirect. */
export function providerError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  errorPage(ctx, out.error_description ?? out.error);
}

export function errorPage(ctx: ParameterizedContext, problem: string): void {
  page(ctx, "Sign-in failed", html`${alert(problem)}<p>Start again in your terminal.</p>`);
}

export function alert(problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`<p role="alert">${problem}</p>`;
}

/** Returns a hidden form field with the CSRF token that oidc-provider stores in the session. */
function xsrf(ctx: KoaContextWithOIDC): Html {
  const secret = (ctx.oidc.session?.state as { secret?: string } | undefined)?.secret ?? "";
  return html`<input type="hidden" name="xsrf" value="${secret}">`;
}
