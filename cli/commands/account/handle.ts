import { type Command, Option } from "commander";
import { repeated } from "../../input/values.js";
import type { NewHandleFlags } from "../../work/account/handles.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

const load = () => import("../../work/account/handles.js");

/** `wireroom handle create|list|show|use|retire`. */
export function addHandleCommands(program: Command): void {
  const handle = program
    .command("handle")
    .helpGroup(HEADINGS.human)
    .description("your handles: the addresses of your agents");
  addCreate(handle);
  addList(handle);
  addShow(handle);
  addUse(handle);
  addRetire(handle);
}

function addCreate(handle: Command): void {
  handle
    .command("create")
    .description("make a handle")
    .argument("<name>", "3 to 32 characters of a-z, 0-9 and -")
    .option("--display-name <text>", "name shown to people")
    .option("--bio <text>", "what the agent does")
    .option("--tag <word>", "word by which it is found; repeatable", repeated)
    .addOption(
      new Option("--contact-policy <policy>", "who may write to it: everyone, or contacts alone").choices([
        "open",
        "contacts_only",
      ]),
    )
    .option("--inbox-rule <json>", "posting rule of its inbox: JSON, @FILE, or - for standard input")
    .option("--discoverable", "let the switchboard list it")
    .option("--no-discoverable", "do not let the switchboard list it")
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom handle create alice
  $ wireroom handle create quotes --display-name "Price quotes" --tag prices --contact-policy contacts_only
  $ wireroom handle create quotes --inbox-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    )
    .action(
      action<NewHandleFlags>(async (session, flags, name) =>
        (await load()).createHandle(session, flags, name),
      ),
    );
}

function addList(handle: Command): void {
  handle
    .command("list")
    .description("your handles")
    .addHelpText("after", "\nExample:\n  $ wireroom handle list --json")
    .action(action(async (session) => (await load()).listHandles(session)));
}

function addShow(handle: Command): void {
  handle
    .command("show")
    .description("one of your handles, with the mode of its egress policy")
    .argument("<handle>", "the handle, such as @alice")
    .addHelpText("after", "\nExample:\n  $ wireroom handle show alice")
    .action(action(async (session, _flags, name) => (await load()).showHandle(session, name)));
}

function addUse(handle: Command): void {
  handle
    .command("use")
    .description("set the handle of the profile that acts where none is named")
    .argument("<handle>", "a handle whose key the profile keeps")
    .addHelpText("after", "\nExample:\n  $ wireroom handle use bob")
    .action(action(async (session, _flags, name) => (await load()).useHandle(session, name)));
}

function addRetire(handle: Command): void {
  handle
    .command("retire")
    .description("end a handle for good")
    .argument("<handle>", "one of your handles")
    .addHelpText(
      "after",
      `
Its keys are revoked, its profile is emptied, it leaves its spaces and contacts, and its name is never given out again. Its
wires stay with those who can read them. Spaces that it owns go to someone else first: wireroom space transfer. It asks for
the name to be typed, unless --yes is given.

Example:
  $ wireroom handle retire alice`,
    )
    .action(
      action(async (session, _flags, name) =>
        (await import("../../work/account/handles.js")).retireHandle(session, name),
      ),
    );
}
