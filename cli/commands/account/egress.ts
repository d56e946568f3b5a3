import { type Command, Option } from "commander";
import type { PolicyFlags } from "../../work/account/egress.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

const load = () => import("../../work/account/egress.js");

const HANDLE = "one of your handles";
const TARGETS = "@bob for a handle, space:ops or '#ops' for a space";
const SIGN = "A bare # begins a comment in most shells: write space:ops, or quote '#ops'.";

/** `wireroom egress show|set|allow|deny|forget`. */
export function addEgressCommands(program: Command): void {
  const egress = program
    .command("egress")
    .helpGroup(HEADINGS.human)
    .description("where your handles may send");
  addShow(egress);
  addSet(egress);
  addChange(egress, "allow", "put targets on the list allow, and take them off deny");
  addChange(egress, "deny", "put targets on the list deny, and take them off allow");
  addChange(egress, "forget", "take targets off both lists");
}

function addShow(egress: Command): void {
  egress
    .command("show")
    .description("the egress policy of a handle")
    .argument("<handle>", HANDLE)
    .addHelpText("after", "\nExample:\n  $ wireroom egress show alice")
    .action(action(async (session, _flags, name) => (await load()).showPolicy(session, name)));
}

function addSet(egress: Command): void {
  egress
    .command("set")
    .description("change the egress policy of a handle: what is given replaces what was there")
    .argument("<handle>", HANDLE)
    .addOption(
      new Option("--mode <mode>", "what becomes of what goes to a target on neither list").choices([
        "open",
        "allowlist",
        "approval",
      ]),
    )
    .option("--allow <target...>", `may always be sent to: ${TARGETS}`)
    .option("--no-allow", "empty the list allow")
    .option("--deny <target...>", "may never be sent to, whatever mode and allow say")
    .option("--no-deny", "empty the list deny")
    .addHelpText(
      "after",
      `
open sends it, allowlist refuses it, approval holds it until you approve it (wireroom approval list). It is checked for
wires, posts and knocks. What is not given stays as it is.
${SIGN}

Examples:
  $ wireroom egress set alice --mode approval --allow @bob space:ops
  $ wireroom egress set alice --mode allowlist --no-deny`,
    )
    .action(
      action<PolicyFlags>(async (session, flags, name) => (await load()).setPolicy(session, flags, name)),
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
      action<object, [string, string[]]>(async (session, _flags, name, targets) =>
        (await load()).changeLists(session, verb, name, targets),
      ),
    );
}
