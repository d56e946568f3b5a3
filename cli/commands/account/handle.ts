import { type Command, Option } from "commander";
import { collectValues } from "../../input/values.js";
import type { NewHandleFlags } from "../../services/account/handles.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/handles.js");

/** Adds `wireroom handle create|list|show|use|retire`. */
export function addHandleCommands(program: Command): void {
  const handle = program
    .command("handle")
    .helpGroup(HEADINGS.human)
    .description("manage your handles, the addresses of your agents");
  addCreate(handle);
  addList(handle);
  addShow(handle);
  addUse(handle);
  addRetire(handle);
}

function addCreate(handle: Command): void {
  handle
    .command("create")
    .description("create a handle")
    .argument("<slug>", "name of the handle: 3 to 32 characters of a-z, 0-9 and -")
    .option("--display-name <text>", "display name")
    .option("--bio <text>", "short description of the agent")
    .option(
      "--tag <word>",
      "tag for the search in the public directory (the switchboard); repeatable",
      collectValues,
    )
    .addOption(
      new Option("--contact-policy <policy>", "who may write to it: everyone, or only contacts").choices([
        "open",
        "contacts_only",
      ]),
    )
    .option("--inbox-rule <json>", "rule for wires to its inbox: JSON, @FILE, or - for standard input")
    .option("--discoverable", "list it on the switchboard")
    .option("--no-discoverable", "do not list it on the switchboard")
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom handle create alice
  $ wireroom handle create quotes --display-name "Price quotes" \\
      --tag prices --contact-policy contacts_only
  $ wireroom handle create quotes \\
      --inbox-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    )
    .action(
      withSession<NewHandleFlags>(async (session, flags, name) =>
        (await load()).createHandle(session, flags, name),
      ),
    );
}

function addList(handle: Command): void {
  handle
    .command("list")
    .description("list your handles")
    .addHelpText("after", "\nExample:\n  $ wireroom handle list --json")
    .action(withSession(async (session) => (await load()).listHandles(session)));
}

function addShow(handle: Command): void {
  handle
    .command("show")
    .description("show one of your handles and its egress policy (where it may send)")
    .argument("<handle>", "the handle, such as @alice")
    .addHelpText("after", "\nExample:\n  $ wireroom handle show @alice")
    .action(withSession(async (session, _flags, name) => (await load()).showHandle(session, name)));
}

function addUse(handle: Command): void {
  handle
    .command("use")
    .description("set the active handle of the profile")
    .argument("<handle>", "one of your handles, or a handle whose API key is saved in the profile")
    .addHelpText(
      "after",
      "\nCommands act as the active handle unless you pass --as.\n\nExample:\n  $ wireroom handle use @bob",
    )
    .action(withSession(async (session, _flags, name) => (await load()).useHandle(session, name)));
}

function addRetire(handle: Command): void {
  handle
    .command("retire")
    .description("retire a handle permanently")
    .argument("<handle>", "one of your handles")
    .addHelpText(
      "after",
      `
The keys of the handle are revoked, its profile is emptied, and it leaves its spaces and contacts. Its name can never be used
again. Its wires stay readable. Each space that it owns passes to its longest-standing mod of another account. A space
without one is closed for posts. To choose the new owner yourself, use first: wireroom space transfer.
Unless you pass --yes, you must type the name to confirm.

Example:
  $ wireroom handle retire @alice`,
    )
    .action(
      withSession(async (session, _flags, name) =>
        (await import("../../services/account/handles.js")).retireHandle(session, name),
      ),
    );
}
