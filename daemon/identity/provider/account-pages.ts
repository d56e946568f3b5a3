import type { ParameterizedContext } from "koa";
import { html, page } from "./html.js";
import { alert } from "./pages.js";

/** HTML pages for sign-up and for forgotten passwords. The sign-in page links to them. */

interface AccountView {
  email?: string | undefined;
  /** Why the previous attempt failed. */
  problem?: string | undefined;
}

export function signUp(ctx: ParameterizedContext, { email = "", problem }: AccountView): void {
  page(
    ctx,
    "Create an account",
    html`${alert(problem)}
<form method="post">
${emailField(email)}
${newPasswordField}
<button class="main" name="action" value="sign-up">Continue</button>
</form>
${backLink}`,
  );
}

export function confirm(ctx: ParameterizedContext, { problem }: AccountView): void {
  page(
    ctx,
    "Confirm your address",
    html`${alert(problem)}
<p>A code was sent to your e-mail address. If the address already has an account, the mail says so instead.</p>
<form method="post">
${codeField}
<button class="main" name="action" value="confirm">Create the account</button>
</form>
<p><a href="?page=sign-up">Request another code with the same address and password</a></p>
${backLink}`,
  );
}

export function forgot(ctx: ParameterizedContext, { email = "", problem }: AccountView): void {
  page(
    ctx,
    "Forgot your password?",
    html`${alert(problem)}
<form method="post">
${emailField(email)}
<button class="main" name="action" value="forgot">Send a code</button>
</form>
${backLink}`,
  );
}

export function reset(ctx: ParameterizedContext, { email = "", problem }: AccountView): void {
  page(
    ctx,
    "Set a new password",
    html`${alert(problem)}
<p>If the address has an account, a code was sent to it. A new password ends all other sign-ins of the account.</p>
<form method="post">
<input type="hidden" name="email" value="${email}">
${codeField}
${newPasswordField}
<button class="main" name="action" value="reset">Set the password</button>
</form>
${backLink}`,
  );
}

const emailField = (email: string) => html`<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="username" required autofocus></label>`;

const codeField = html`<label>Code from the e-mail
<input name="code" autocomplete="one-time-code" inputmode="numeric" required autofocus></label>`;

const newPasswordField = html`<label>New password (at least 8 characters)
<input type="password" name="password" autocomplete="new-password" minlength="8" required></label>`;

const backLink = html`<p><a href="?">Back to the sign-in</a></p>`;
