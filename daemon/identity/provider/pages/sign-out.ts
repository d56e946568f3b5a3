import type { KoaContextWithOIDC } from "oidc-provider";
import { providerForm } from "./forms.js";
import { html, page } from "./html.js";

export function signOut(ctx: KoaContextWithOIDC): void {
  page(
    ctx,
    "Sign out",
    html`<p>Do you want to sign out of Wireroom in this browser? To stay signed in, close this page.</p>
${providerForm(
  ctx,
  "end_session_confirm",
  html`<button class="main" name="logout" value="yes" autofocus>Sign out</button>`,
)}`,
  );
}

export function signedOut(ctx: KoaContextWithOIDC): void {
  page(ctx, "You are signed out", html`<p class="done" role="status">You can close this page.</p>`);
}
