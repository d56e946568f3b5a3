import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/connections.js");

/** Adds `wireroom connection list|revoke`. */
export function addConnectionCommands(program: Command): void {
  const connection = program
    .command("connection")
    .helpGroup(HEADINGS.human)
    .description("list the applications that act for your handles, and end their connections");
  addList(connection);
  addRevoke(connection);
}

function addList(connection: Command): void {
  connection
    .command("list")
    .description("list the applications that act for your handles, newest first")
    .addHelpText("after", "\nExample:\n  $ wireroom connection list")
    .action(withSession(async (session) => (await load()).listConnections(session)));
}

function addRevoke(connection: Command): void {
  connection
    .command("revoke")
    .description("revoke a connection immediately")
    .argument("<id>", "id of the connection, from wireroom connection list")
    .addHelpText("after", "\nExample:\n  $ wireroom connection revoke 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f")
    .action(withSession(async (session, _flags, id) => (await load()).revokeConnection(session, id)));
}
