import type { Command } from "commander";
import type { SignUpFlags } from "../../work/sign-in/sign-up.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom signup`: a new account at the daemon's own identity provider. */
export function addSignUpCommand(program: Command): void {
  program
    .command("signup")
    .helpGroup(HEADINGS.human)
    .description("make an account, and sign in")
    .option("--email <address>", "e-mail address; the code is sent there")
    .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
    .option("--code <digits>", "take the code that was sent, and sign in where a password is given")
    .option("--resend", "have a new code sent")
    .addHelpText(
      "after",
      `
On a terminal it asks for what it needs. In a pipe it never asks: the first command has a code sent, the second
takes it. A daemon without a mail server writes codes to its log: wireroom logs

Examples:
  $ wireroom signup
  $ wireroom signup --email ada@example.com --password-stdin < password.txt
  $ wireroom signup --email ada@example.com --password-stdin --code 123456 < password.txt
  $ wireroom signup --email ada@example.com --resend`,
    )
    .action(
      action<SignUpFlags>(async (session, flags) => {
        const { signUp } = await import("../../work/sign-in/sign-up.js");
        await signUp(session, flags);
      }),
    );
}
