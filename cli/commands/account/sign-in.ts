import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/sign-ins.js");

/** Adds `wireroom sign-in list|end`. */
export function addSignInCommands(program: Command): void {
  const signIn = program
    .command("sign-in")
    .helpGroup(HEADINGS.human)
    .description("list the places where you are signed in, and sign out elsewhere");
  addList(signIn);
  addEnd(signIn);
}

function addList(signIn: Command): void {
  signIn
    .command("list")
    .description("list your sign-ins at the command line and the console, newest first")
    .addHelpText(
      "after",
      `
With an external identity provider, sign-ins of the command line are at the provider, and are not listed.

Example:
  $ wireroom sign-in list`,
    )
    .action(withSession(async (session) => (await load()).listSignIns(session)));
}

function addEnd(signIn: Command): void {
  signIn
    .command("end")
    .description("end a sign-in, or all but this one")
    .argument("[id]", "id of the sign-in, from wireroom sign-in list")
    .option("--others", "end all sign-ins but this one, and all browser sessions at the sign-in page")
    .addHelpText(
      "after",
      `
A sign-in ends at once, with its ID tokens and the access tokens of handles. API keys and connections stay valid: revoke them
with wireroom key revoke and wireroom connection revoke.

Examples:
  $ wireroom sign-in end 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f
  $ wireroom sign-in end --others`,
    )
    .action(
      withSession<{ others?: boolean }>(async (session, { others }, id) =>
        (await load()).endSignIns(session, { id, others }),
      ),
    );
}
