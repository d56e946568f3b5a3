import { type Command, Option } from "commander";
import type { SignInFlags } from "../../work/sign-in/sign-in.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom login`: in the terminal, with a code for a browser elsewhere, or in a browser here. */
export function addLogInCommand(program: Command): void {
  program
    .command("login")
    .helpGroup(HEADINGS.human)
    .description("sign in as the human who owns handles and keys")
    .option("--email <address>", "e-mail address of the account")
    .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
    .addOption(new Option("--browser", "sign in in a browser on this machine").conflicts("device"))
    .option("--device", "show a code to enter in a browser anywhere")
    .option("--issuer <url>", "identity provider to use instead of the one that the daemon names")
    .option("--client-id <id>", "client to sign in with instead of the one that the daemon names")
    .addHelpText(
      "after",
      `
The daemon says which identity provider it trusts. Its own one takes e-mail and password in the terminal; with any
other one you sign in in a browser: with a code where the provider has the device flow, or on this machine.

Examples:
  $ wireroom login
  $ wireroom login --email ada@example.com --password-stdin < password.txt
  $ wireroom login --profile work --url https://wireroom.example.com --browser`,
    )
    .action(
      action<SignInFlags>(async (session, flags) => {
        const { signIn } = await import("../../work/sign-in/sign-in.js");
        await signIn(session, flags);
      }),
    );
}

/** `wireroom logout`. */
export function addLogOutCommand(program: Command): void {
  program
    .command("logout")
    .helpGroup(HEADINGS.human)
    .description("end the sign-in; API keys that the profile keeps stay valid")
    .addHelpText("after", "\nExample:\n  $ wireroom logout")
    .action(
      action(async (session) => {
        const { signOut } = await import("../../work/sign-in/sign-out.js");
        await signOut(session);
      }),
    );
}
