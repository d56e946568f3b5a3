import type { Command } from "commander";
import type { SignUpFlags } from "../../services/sign-in/sign-up.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom signup`, which creates an account at the daemon's embedded identity provider. */
export function add(program: Command): void {
  program
    .command("signup")
    .helpGroup(HEADINGS.human)
    .description("create an account and sign in")
    .option("--email <address>", "e-mail address; the confirmation code is sent to it")
    .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
    .option("--code <digits>", "confirm with this code and the password of the sign-up, and sign in")
    .option("--resend", "send a new code for the sign-up with this password")
    .addHelpText(
      "after",
      `
On a terminal, it asks for the e-mail address, the password and the code. In a
pipe, it never asks: the first command sends a code, the second confirms it.
Both need the password, because a code confirms only the sign-up that sent it.
A daemon without a mail server writes codes to its log: wireroom logs

Examples:
  $ wireroom signup
  $ wireroom signup --email ada@example.com --password-stdin < password.txt
  $ wireroom signup --email ada@example.com --password-stdin \\
      --code 123456 < password.txt
  $ wireroom signup --email ada@example.com --password-stdin \\
      --resend < password.txt`,
    )
    .action(
      withSession<SignUpFlags>(async (session, flags) => {
        const { signUp } = await import("../../services/sign-in/sign-up.js");
        await signUp(session, flags);
      }),
    );
}
