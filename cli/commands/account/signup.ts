import type { SignUpFlags } from "../../services/sign-in/sign-up.js";
import { command } from "../command.js";

export const add = command<SignUpFlags>({
  name: "signup",
  description: "create an account and sign in",
  options: (command) =>
    command
      .option("--email <address>", "e-mail address; the confirmation code is sent to it")
      .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
      .option("--code <digits>", "confirm with this code and the password of the sign-up, and sign in")
      .option("--resend", "send a new code for the sign-up with this password"),
  help: `\
On a terminal, it asks for the e-mail address, the password and the code. In a
pipe, it never asks: the first command sends a code, the second confirms it.
Both need the password, because a code confirms only the sign-up that sent it.
A daemon without a mail server writes codes to its log: wireroom logs`,
  examples: [
    "wireroom signup",
    "wireroom signup --email ada@example.com --password-stdin < password.txt",
    "wireroom signup --email ada@example.com --password-stdin \\\n      --code 123456 < password.txt",
    "wireroom signup --email ada@example.com --password-stdin \\\n      --resend < password.txt",
  ],
  run: async (session, flags) => (await import("../../services/sign-in/sign-up.js")).signUp(session, flags),
});
