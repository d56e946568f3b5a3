/** The provider's page that asks for an e-mail address, a password and, if required, a mailed code. */
import type { ParameterizedContext } from "koa";
import { codeField } from "./account.js";
import { alert, field, form } from "./forms.js";
import { html, page, stateOf, untrusted } from "./html.js";

export interface SignInView {
  email?: string;
  isWrong?: boolean;
  needsCode?: boolean;
  isThrottled?: boolean;
  /** The password was just changed. */
  isChanged?: boolean;
}

export function signIn(ctx: ParameterizedContext, { email = "", ...previous }: SignInView): void {
  const problem = problemOf(previous, stateOf(ctx).codes);
  const describedBy = problem === undefined ? undefined : "alert";
  page(
    ctx,
    "Sign in",
    html`${alert(problem)}
${
  previous.isChanged &&
  html`<p class="done" role="status">Your password was changed. Sign in with the new one.</p>`
}
<p>${purposeOf(ctx)}</p>
${form(
  ctx,
  html`${field({
    name: "email",
    label: "E-mail address",
    value: email,
    attributes: html`type="email" autocomplete="username" required`,
    isFocused: email === "",
    describedBy,
  })}
${field({
  name: "password",
  label: "Password",
  attributes: html`type="password" autocomplete="current-password" required`,
  isFocused: email !== "",
  describedBy,
})}
${previous.needsCode && codeField({ isFocused: false, describedBy })}
<button class="main" name="action" value="sign-in">Sign in</button>`,
)}
<p><a href="?page=forgot">Forgot your password?</a></p>
${
  stateOf(ctx).hasLocalSignIn === true &&
  html`<p>An account of <code>wireroom init</code> has no password yet: <code>wireroom password set</code> gives it one.</p>`
}
<p>No account yet? <a href="?page=sign-up">Create an account</a></p>
${form(ctx, html`<button name="action" value="cancel">Cancel</button>`)}`,
    { isProblem: problem !== undefined },
  );
}

function purposeOf(ctx: ParameterizedContext) {
  const { requester, isConsole } = stateOf(ctx);
  if (!requester)
    return html`Sign in to your Wireroom account to continue in the ${isConsole ? "console" : "command line"}.`;
  const { clientName, clientHost } = requester;
  return html`Sign in to your Wireroom account to connect <strong>${untrusted(clientName)}</strong> (${untrusted(clientHost)}).`;
}

function problemOf(
  { isWrong, needsCode, isThrottled }: SignInView,
  codes: "mail" | "log" = "mail",
): string | undefined {
  if (isThrottled) return "Too many failed attempts. Try again in a few minutes.";
  if (isWrong)
    return `The e-mail address${needsCode ? ", the password or the code" : " or the password"} is wrong.`;
  if (!needsCode) return undefined;
  const where = codes === "mail" ? "a code was sent to it" : "a code is in the log of the server";
  return `There were too many wrong passwords for this address. If it has an account, ${where}. Enter the password and the code.`;
}

/** Asks a signed-in human to confirm the sign-in (RFC 8252, section 8.6). */
export function confirmSignIn(ctx: ParameterizedContext, email: string): void {
  page(
    ctx,
    "Sign in",
    html`<p>The Wireroom ${stateOf(ctx).isConsole ? "console" : "command line"} requests access to your account. Continue only if you have just started a sign-in there.</p>
${form(
  ctx,
  html`<button class="main" name="action" value="continue">Continue as ${email}</button>
<button name="action" value="switch">Use another account</button>
<button name="action" value="cancel">Cancel</button>`,
)}`,
  );
}
