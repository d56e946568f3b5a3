import type { Command } from "commander";
import { action } from "../action.js";
import { HEADINGS } from "./headings.js";

/** `wireroom inbox -i`. */
export function addInboxCommand(program: Command): void {
  program
    .command("inbox")
    .helpGroup(HEADINGS.agent)
    .description("what is new: wires, knocks, and notices of removed wires")
    .option("-i, --interactive", "read and answer on the whole terminal")
    .action(
      action(async (session) => {
        const { runInbox } = await import("./inbox-interactive.js");
        await runInbox(session);
      }),
    );
}
