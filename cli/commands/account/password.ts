import type { CredentialFlags } from "../../services/sign-in/credentials.js";
import type { ForgotFlags, ResetFlags } from "../../services/sign-in/password.js";
import type { SignUpFlags } from "../../services/sign-in/sign-up.js";
import { command, noun } from "../command.js";

export const add = noun(
  "password",
  "set a password, or replace a forgotten or known one; a new one ends all other sign-ins, API keys stay valid",
  [
    command<SignUpFlags>({
      name: "set",
      description: "give an account of wireroom init an e-mail address and a password",
      options: (command) =>
        command
          .option("--email <address>", "e-mail address; the confirmation code is sent to it")
          .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
          .option("--code <digits>", "confirm the address with this code and the same password"),
      help: `\
On a terminal, it asks for the address, the password and the code. In a pipe, it never asks: the first command sends a
code, the second confirms it. What is signed in stays signed in. Afterwards, the account can sign in on every machine:
wireroom login`,
      examples: [
        "wireroom password set",
        "wireroom password set --email ada@example.com \\\n      --password-stdin < password.txt",
        "wireroom password set --email ada@example.com \\\n      --password-stdin --code 123456 < password.txt",
      ],
      run: async (session, flags) =>
        (await import("../../services/sign-in/sign-up.js")).setPassword(session, flags),
    }),
    command<ForgotFlags>({
      name: "forgot",
      description: "request a code for a new password, and on a terminal set it",
      options: (command) =>
        command.option("--email <address>", "e-mail address of the account; the code is sent to it"),
      help: `\
On a terminal, it asks for the code and the new password, and signs in. In a pipe, it only sends the code: the command
wireroom password reset sets the password. A daemon without a mail server writes codes to its log: wireroom logs`,
      examples: "wireroom password forgot --email ada@example.com",
      run: async (session, flags) =>
        (await import("../../services/sign-in/password.js")).forgotPassword(session, flags),
    }),
    command<ResetFlags>({
      name: "reset",
      description: "set a new password with the code that was sent, and sign in",
      options: (command) =>
        command
          .option("--email <address>", "e-mail address of the account")
          .option("--code <digits>", "the code that was sent")
          .option("--password-stdin", "read the new password from standard input (or set WIREROOM_PASSWORD)"),
      help: "On a terminal, it asks for what is not given.",
      examples:
        "wireroom password reset --email ada@example.com --code 123456 \\\n      --password-stdin < password.txt",
      run: async (session, flags) =>
        (await import("../../services/sign-in/password.js")).resetPassword(session, flags),
    }),
    command<CredentialFlags>({
      name: "change",
      description: "replace the password of the signed-in account; this sign-in stays",
      options: (command) =>
        command.option(
          "--password-stdin",
          "read the current and the new password from standard input, one a line",
        ),
      examples: [
        "wireroom password change",
        `printf '%s\\n' "$OLD" "$NEW" | wireroom password change --password-stdin`,
      ],
      run: async (session, flags) =>
        (await import("../../services/sign-in/password.js")).changePassword(session, flags),
    }),
  ],
);
