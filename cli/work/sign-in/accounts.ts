/** New accounts at the daemon's own provider (decisions, section 10). Every refusal is a `WireroomError`. */
import { ask } from "./http.js";

/** Has a code sent to the address. */
export async function requestAccount(issuer: string, email: string, password: string): Promise<void> {
  await ask(`${issuer}/sign-up`, { email, password });
}

/** Makes the account, with the code. A wrong or stale one is `VALIDATION_ERROR`. */
export async function confirmAccount(issuer: string, email: string, code: string): Promise<void> {
  await ask(`${issuer}/confirm`, { email, code });
}

/** Has a new code sent; within 30 s of the last one nothing happens. */
export async function resendCode(issuer: string, email: string): Promise<void> {
  await ask(`${issuer}/resend`, { email });
}
