import type { ParameterizedContext } from "koa";
import { alert, type Field, field, form, type Problem } from "./forms.js";
import { html, page, stateOf } from "./html.js";

/** HTML pages for sign-up and forgotten passwords, to which the sign-in page links. */

interface AccountView {
  email?: string | undefined;
  problems?: readonly Problem[] | undefined;
}

export function signUp(ctx: ParameterizedContext, { email, problems = [] }: AccountView): void {
  page(
    ctx,
    "Create an account",
    html`${alert(problems)}
<p>The next page asks for a code, which confirms that the address is yours.</p>
${form(
  ctx,
  html`${emailField(email, problems)}
${newPasswordField("Password", problems)}
<button class="main" name="action" value="sign-up">Continue</button>`,
)}
${backLink}`,
    { isProblem: problems.length > 0 },
  );
}

export function confirm(ctx: ParameterizedContext, { problems = [] }: AccountView): void {
  page(
    ctx,
    "Confirm your address",
    html`${alert(problems)}
${codeSent(ctx, "Enter the code that was sent to your e-mail address. If the address already has an account, the mail says so instead.")}
${form(
  ctx,
  html`${mailedCodeField(problems)}
<button class="main" name="action" value="confirm">Create the account</button>`,
)}
<p>No code? <a href="?page=sign-up">Request another one</a> with the same address and password.</p>
${backLink}`,
    { isProblem: problems.length > 0 },
  );
}

export function forgot(ctx: ParameterizedContext, { email, problems = [] }: AccountView): void {
  page(
    ctx,
    "Forgot your password?",
    html`${alert(problems)}
<p>Enter your e-mail address. The next page asks for a code, and for a new password.</p>
${form(
  ctx,
  html`${emailField(email, problems)}
<button class="main" name="action" value="forgot">Send a code</button>`,
)}
${backLink}`,
    { isProblem: problems.length > 0 },
  );
}

export function reset(ctx: ParameterizedContext, { email = "", problems = [] }: AccountView): void {
  page(
    ctx,
    "Set a new password",
    html`${alert(problems)}
${codeSent(ctx, "If the address has an account, a code was sent to it.")}
<p>The new password ends all other sign-ins of the account. Connected applications and API keys keep their access.</p>
${form(
  ctx,
  html`${field({
    name: "email",
    label: "E-mail address",
    value: email,
    attributes: html`type="email" autocomplete="username" readonly`,
  })}
${mailedCodeField(problems)}
${newPasswordField("New password", problems)}
<button class="main" name="action" value="reset">Set the password</button>`,
)}
<p>No code? <a href="?page=forgot">Request another one</a>.</p>
${backLink}`,
    { isProblem: problems.length > 0 },
  );
}

/** Without a mail server, the daemon writes codes to its log. */
function codeSent(ctx: ParameterizedContext, byMail: string) {
  if (stateOf(ctx).codes !== "log") return html`<p>${byMail}</p>`;
  return html`<p>This server sends no mail. It has written the code to its log. On the machine of the server, this command shows it: <code>wireroom logs</code></p>`;
}

function emailField(value: string | undefined, problems: readonly Problem[]) {
  return field(
    {
      name: "email",
      label: "E-mail address",
      value: value ?? "",
      attributes: html`type="email" autocomplete="username" required`,
      isFocused: value === undefined || problems.some(({ field }) => field === "email"),
    },
    problems,
  );
}

function mailedCodeField(problems: readonly Problem[]) {
  return codeField({ isFocused: !problems.some(({ field }) => field === "password") }, problems);
}

export function codeField(more: Pick<Field, "isFocused" | "describedBy">, problems?: readonly Problem[]) {
  return field(
    {
      name: "code",
      label: "Code",
      hint: "Usually 6 digits. After many wrong codes, the next one has 39. Valid for 10 minutes",
      attributes: html`autocomplete="one-time-code" inputmode="numeric" maxlength="60" required`,
      ...more,
    },
    problems,
  );
}

function newPasswordField(label: string, problems: readonly Problem[]) {
  return field(
    {
      name: "password",
      label,
      hint: "At least 8 characters",
      attributes: html`type="password" autocomplete="new-password" minlength="8" required`,
      isFocused: problems.some(({ field }) => field === "password"),
    },
    problems,
  );
}

const backLink = html`<p><a href="?">Back to sign-in</a></p>`;
