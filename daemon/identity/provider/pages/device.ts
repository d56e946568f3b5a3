import type { Client, ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { errorPage } from "./error.js";
import { alert, field, providerForm } from "./forms.js";
import { html, page } from "./html.js";

/**
 * HTML pages for the device flow, in which a human signs in a terminal by entering the code that it shows.
 */

export function userCodeInput(ctx: KoaContextWithOIDC, _form: string, _out?: ErrorOut, error?: Error): void {
  const { session } = ctx.oidc;
  if (error && session && session.exp === undefined) {
    // Without a session, oidc-provider would save one that was never stored, and throw. `touched: false`
    // prevents that.
    Object.assign(session, { touched: false });
    errorPage(ctx, "This page has expired, or your browser blocks cookies.");
    return;
  }
  if (error?.name === "AbortedError") {
    page(
      ctx,
      "Sign-in cancelled",
      html`<p class="done" role="status">The sign-in was cancelled, and your terminal has got no access. You can close this page.</p>`,
    );
    return;
  }
  const userCode = (error as { userCode?: string } | undefined)?.userCode ?? "";
  const problem = problemOf(error);
  const isAboutCode = problem?.field !== undefined;
  page(
    ctx,
    "Enter the code",
    html`${alert(problem && [problem])}
<p>Enter the code that your terminal shows. It signs the terminal in to your Wireroom account.</p>
${providerForm(
  ctx,
  "code_verification",
  html`${field(
    {
      name: "user_code",
      label: "Code",
      hint: "8 letters; the hyphen does not matter",
      value: userCode,
      attributes: html`autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required`,
      isFocused: true,
    },
    isAboutCode ? [problem] : [],
  )}
<button class="main">Continue</button>`,
)}`,
    { isProblem: problem !== undefined },
  );
}

function problemOf(error: Error | undefined) {
  if (error === undefined) return undefined;
  if ("status" in error && error.status === 429)
    return { text: "Too many wrong codes from your network. Try again in a few minutes." };
  if (error.name === "NoCodeError" || "userCode" in error)
    return {
      field: "user_code",
      text: "This code is wrong, already used or expired. Enter the code again, or start again in your terminal.",
    };
  return { text: "The sign-in failed. Start again in your terminal." };
}

/**
 * Second page, on which the human confirms the code as protection against phishing (RFC 8628, section 5.4).
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
    html`<p>A terminal asks to sign in to your Wireroom account. Your terminal should show this code:</p>
<p class="code">${userCode}</p>
<p>Cancel if your terminal shows another code, or if you have not started a sign-in yourself.</p>
${providerForm(
  ctx,
  "code_verification",
  html`<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="confirm" value="yes">
<button class="main">Continue</button>
<button name="abort" value="yes">Cancel</button>`,
)}`,
  );
}

export function deviceSignedIn(ctx: KoaContextWithOIDC): void {
  page(
    ctx,
    "You are signed in",
    html`<p class="done" role="status">Return to your terminal. You can close this page.</p>`,
  );
}
