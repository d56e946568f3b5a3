import type { Command } from "commander";
import type { CopyProgress } from "../../../daemon/maintenance/copy.js";
import { withProgress } from "../../output/progress.js";
import { CopyProgressReport } from "../../work/daemon/copy-progress.js";
import { assertDriver } from "../../work/daemon/driver.js";
import { refusalOf } from "../../work/daemon/refusal.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

interface CopyFlags {
  from: string;
  to: string;
}

/** `wireroom store`: what is done to databases as a whole. */
export function addStoreCommand(program: Command): void {
  const store = program
    .command("store")
    .helpGroup(HEADINGS.daemon)
    .description("move a whole service from one database to another")
    .addHelpText(
      "after",
      `
Example:
  $ wireroom store copy --from sqlite:wireroom.db --to postgres://wireroom@db.example.com/wireroom`,
    );
  addCopy(store);
}

function addCopy(store: Command): void {
  store
    .command("copy")
    .description("copy everything into an empty database, of either engine, and compare both")
    .requiredOption("--from <url>", "the database that is copied: sqlite:/path/to/file or postgres://…")
    .requiredOption("--to <url>", "an empty database, which is made ready; a file that is not there is made")
    .addHelpText(
      "after",
      `
Stop every daemon before, and start them on the new database alone: what is written to the old one afterwards is in it
alone. Handles, keys, wires, cursors and human accounts stay as they are. The old database is not changed.
At the end the rows of both are counted and their checksums compared, table by table. Where the copy was interrupted, give the
same command again: it goes on from there. Until it is done, no daemon serves the new database.
Passwords of database servers are best kept out of the command line: PGPASSWORD, or ~/.pgpass.

Examples:
  $ wireroom down
  $ wireroom store copy --from sqlite:$HOME/.local/share/wireroom/wireroom.db --to postgres://wireroom@localhost/wireroom
  $ wireroom up --database-url postgres://wireroom@localhost/wireroom`,
    )
    .action(
      action<CopyFlags>(async (session, flags) => {
        const { output } = session;
        assertDriver();
        const { copyService } = await import("../../../daemon/maintenance/copy.js");
        const copied = await withProgress(session, (progress) => {
          const report = new CopyProgressReport(progress, output);
          return copyService(flags.from, flags.to, (step: CopyProgress) => report.update(step));
        }).catch(refusalOf("wireroom down"));
        const rows = copied.tables.reduce((sum, table) => sum + table.rows, 0);
        const { from, to, isResumed, tables } = copied;
        output.result({ from, to, resumed: isResumed, rows, tables }, () => {
          output.table(
            [
              { title: "table", cell: ({ table }) => table },
              { title: "rows", cell: (table) => String(table.rows) },
              { title: "checksum", cell: ({ checksum }) => checksum },
            ],
            tables,
            "no tables",
          );
          output.note(`${to} holds all that ${from} holds: ${rows} rows, compared table by table.`);
          output.next(`wireroom up --database-url ${to}`);
        });
      }),
    );
}
