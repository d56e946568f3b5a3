import { Option } from "commander";
import type { SignInFlags } from "../../services/sign-in/sign-in.js";
import { command } from "../command.js";

const addLogIn = command<SignInFlags>({
  name: "login",
  description: "sign in to your account",
  options: (command) =>
    command
      .option("--email <address>", "e-mail address of the account")
      .option("--password-stdin", "read the password from standard input (or set WIREROOM_PASSWORD)")
      .option("--code <digits>", "code that is mailed to you after too many wrong passwords")
      .addOption(new Option("--browser", "sign in with a browser on this machine").conflicts("device"))
      .option("--device", "print a code to enter in a browser on any device")
      .option("--issuer <url>", "identity provider; default: the one the daemon trusts")
      .option("--client-id <id>", "OAuth client id; default: the one the daemon names"),
  help: `\
The daemon names the identity provider that it trusts. With the embedded provider, you enter e-mail and password in the
terminal. With an external provider, or if the daemon accepts no passwords from terminals, you sign in with a browser: by
a device code if the provider supports it, otherwise on this machine.`,
  examples: [
    "wireroom login",
    "wireroom login --email ada@example.com --password-stdin < password.txt",
    "wireroom login --profile work --url https://wireroom.example.com --browser",
  ],
  run: async (session, flags) => (await import("../../services/sign-in/sign-in.js")).signIn(session, flags),
});

const addLogOut = command({
  name: "logout",
  description: "sign out; API keys that are saved in the profile stay valid",
  help: `\
Your other sign-ins go on. To list and end them: the account page of the console, or wireroom call signIns.list, signIns.end
and signIns.endOthers.`,
  examples: "wireroom logout",
  run: async (session) => (await import("../../services/sign-in/stored-sign-in.js")).signOut(session),
});

export const add = [addLogIn, addLogOut];
