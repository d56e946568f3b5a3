import type { Command } from "commander";
import type { CredentialFlags } from "../../services/sign-in/credentials.js";
import type { ForgotFlags, ResetFlags } from "../../services/sign-in/password.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom password`, which replaces a password at the daemon's embedded identity provider. */
export function add(program: Command): void {
  const password = program
    .command("password")
    .helpGroup(HEADINGS.human)
    .description(
      "replace a forgotten or known password; all other sign-ins of the account end, API keys stay valid",
    );

  password
    .command("forgot")
    .description("request a code for a new password, and on a terminal set it")
    .option("--email <address>", "e-mail address of the account; the code is sent to it")
    .addHelpText(
      "after",
      `
On a terminal, it asks for the code and the new password, and signs in. In a pipe, it only sends the code: the command
wireroom password reset sets the password. A daemon without a mail server writes codes to its log: wireroom logs

Example:
  $ wireroom password forgot --email ada@example.com`,
    )
    .action(
      withSession<ForgotFlags>(async (session, flags) => {
        const { forgotPassword } = await import("../../services/sign-in/password.js");
        await forgotPassword(session, flags);
      }),
    );

  password
    .command("reset")
    .description("set a new password with the code that was sent, and sign in")
    .option("--email <address>", "e-mail address of the account")
    .option("--code <digits>", "the code that was sent")
    .option("--password-stdin", "read the new password from standard input (or set WIREROOM_PASSWORD)")
    .addHelpText(
      "after",
      `
On a terminal, it asks for what is not given.

Example:
  $ wireroom password reset --email ada@example.com --code 123456 \\
      --password-stdin < password.txt`,
    )
    .action(
      withSession<ResetFlags>(async (session, flags) => {
        const { resetPassword } = await import("../../services/sign-in/password.js");
        await resetPassword(session, flags);
      }),
    );

  password
    .command("change")
    .description("replace the password of the signed-in account; this sign-in stays")
    .option("--password-stdin", "read the current and the new password from standard input, one a line")
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom password change
  $ printf '%s\\n' "$OLD" "$NEW" | wireroom password change --password-stdin`,
    )
    .action(
      withSession<CredentialFlags>(async (session, flags) => {
        const { changePassword } = await import("../../services/sign-in/password.js");
        await changePassword(session, flags);
      }),
    );
}
