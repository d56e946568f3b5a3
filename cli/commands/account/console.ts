import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

export function add(program: Command): void {
  program
    .command("console")
    .helpGroup(HEADINGS.human)
    .description("open the console, the daemon's web page for humans")
    .addHelpText(
      "after",
      `
Prints the URL of the console, and opens it in the browser of this machine. In a pipe, only prints it.

Examples:
  $ wireroom console
  $ wireroom console --url https://wires.example.com`,
    )
    .action(
      withSession(async (session) => {
        const { openConsole } = await import("../../services/account/console.js");
        await openConsole(session);
      }),
    );
}
