import { type Command, Option } from "commander";
import type { PolicyFlags } from "../../services/account/egress.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/egress.js");

const HANDLE = "one of your handles";
const TARGETS = "@bob for a handle, space:ops or '#ops' for a space";
const SIGN = "Most shells treat # as the start of a comment: write space:ops, or quote '#ops'.";

/** Adds `wireroom egress show|set|allow|deny|forget`. */
export function addEgressCommands(program: Command): void {
  const egress = program
    .command("egress")
    .helpGroup(HEADINGS.human)
    .description("control to which handles and spaces your handles may send, and whether they may publish");
  addShow(egress);
  addSet(egress);
  addChange(egress, "allow", "add targets to the allow list and remove them from the deny list");
  addChange(egress, "deny", "add targets to the deny list and remove them from the allow list");
  addChange(egress, "forget", "remove targets from both lists");
}

function addShow(egress: Command): void {
  egress
    .command("show")
    .description("show the egress policy of a handle")
    .argument("<handle>", HANDLE)
    .addHelpText("after", "\nExample:\n  $ wireroom egress show @alice")
    .action(withSession(async (session, _flags, name) => (await load()).showPolicy(session, name)));
}

function addSet(egress: Command): void {
  egress
    .command("set")
    .description("change parts of the egress policy of a handle")
    // Optional for the parser only: after `--allow @bob`, the parser takes `alice` as another target.
    .argument("[handle]", `${HANDLE}; required, but it may follow a list of targets`)
    .usage("[options] <handle>")
    .addOption(
      new Option("--mode <mode>", "what to do with a target that is on neither list").choices([
        "open",
        "allowlist",
        "approval",
      ]),
    )
    .option("--allow <target...>", `replace the allow list (always sent): ${TARGETS}`)
    .option("--no-allow", "empty the allow list")
    .option("--deny <target...>", "replace the deny list (never sent); overrides --mode and --allow")
    .option("--no-deny", "empty the deny list")
    .option("--publish", "let the handle change what others can read")
    .option("--no-publish", "refuse changes that others can read: profile, schemas, spaces and members")
    .addHelpText(
      "after",
      `
Mode and lists apply to wires, posts and knocks. Parts that you do not pass stay unchanged. The modes:
  open       send to every target
  allowlist  send only to targets on the allow list
  approval   hold everything else until you approve it (wireroom approval list)

No mode stops what a handle publishes without sending it. --no-publish does: its keys and connections can then change
no profile (except the contact policy), schema, space or member. They can still leave spaces, vote, answer knocks, and
delete wires. You can still make these changes yourself, in the console. To keep a handle from telling anybody anything,
use --mode allowlist --no-allow --no-publish.

${SIGN}

Examples:
  $ wireroom egress set @alice --mode approval --allow @bob space:ops
  $ wireroom egress set @alice --mode allowlist --no-deny --no-publish`,
    )
    .action(
      withSession<PolicyFlags, [string | undefined]>(async (session, flags, name) =>
        (await load()).setPolicy(session, flags, name),
      ),
    );
}

function addChange(egress: Command, verb: "allow" | "deny" | "forget", description: string): void {
  egress
    .command(verb)
    .description(description)
    .argument("<handle>", HANDLE)
    .argument("<targets...>", TARGETS)
    .addHelpText("after", `\n${SIGN}\n\nExample:\n  $ wireroom egress ${verb} alice @bob space:ops`)
    .action(
      withSession<object, [string, string[]]>(async (session, _flags, name, targets) =>
        (await load()).changeLists(session, verb, name, targets),
      ),
    );
}
