/** Declares `wireroom store check|copy|compact`. */
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { safe } from "../../output/safe.js";
import { size } from "../../output/units.js";
import { assertDriver } from "../../services/daemon/driver.js";
import { databaseFlags, dataDirFlag, readDatabaseSettings } from "../../services/daemon/settings.js";
import { toStoreFailure } from "../../services/daemon/store-failure.js";
import { checkReport, copyReport } from "../../services/daemon/store-progress.js";
import { command, noun } from "../command.js";
import { addDatabaseOptions } from "./settings-options.js";

interface CopyFlags {
  from: string;
  to: string;
}

const addCheck = command<Flags>({
  name: "check",
  description: "check the stored data: pages, indexes, references, JSON, and the numbers of cursors",
  options: addDatabaseOptions,
  help: `\
The check reads the whole database and changes nothing. The daemon may be running; unless --database-url names a database,
that of the daemon is checked. Each line of the output names an invariant that does not hold, with examples. A million wires take about
half a minute. In a pipe and with --json, a line on standard error states the progress every 10 s.

Exit code: 0 if all invariants hold, otherwise 1.`,
  examples: [
    "wireroom store check",
    "wireroom store check --database-url sqlite:wireroom-backup.db",
    "wireroom store check --json | jq '.broken[].name'",
  ],
  run: async (session, flags) => {
    const { output } = session;
    const settings = await readDatabaseSettings(session, flags);
    const { checkDatabase } = await import("../../../daemon/maintenance.js");
    const { database, checked, broken } = await withProgress(session, (progress) =>
      checkDatabase(settings, checkReport(progress, session)),
    ).catch(toStoreFailure());
    output.result({ database, checked, broken }, () => {
      for (const { name, rule, found } of broken) output.line(`${name}: ${safe(found)} (${rule})`);
      if (broken.length === 0) output.line(`${database} is sound: ${checked} invariants hold.`);
    });
    if (broken.length === 0) return;
    const names = [...new Set(broken.map(({ name }) => name))].join(", ");
    throw new Failure("UNHEALTHY", `${database} is damaged: ${names}`, [
      "Stop the daemon and restore a backup: wireroom down && wireroom restore FILE --replace",
    ]);
  },
});

const addCopy = command<CopyFlags>({
  name: "copy",
  description: "copy all data into an empty SQLite or PostgreSQL database and compare both",
  options: (command) =>
    command
      .requiredOption("--from <url>", "database to copy: sqlite:/path/to/file or postgres://…")
      .requiredOption(
        "--to <url>",
        "empty database to copy to; its tables are created, and so is a missing SQLite file",
      ),
  help: `\
Stop every daemon first. Afterwards, start them only on the new database: later writes to the old one are not copied.
Handles, keys, wires, cursors and accounts stay the same. The old database is not changed.

At the end, the row counts and checksums of both databases are compared, table by table. If the copy is interrupted, run
the same command again to continue. No daemon starts on the new database until the copy is complete.

Keep database passwords out of the command line: use PGPASSWORD or ~/.pgpass.`,
  examples: [
    "wireroom down",
    "wireroom store copy --from sqlite:$HOME/.local/share/wireroom/wireroom.db \\\n      --to postgres://wireroom@localhost/wireroom",
    "wireroom up --database-url postgres://wireroom@localhost/wireroom",
  ],
  run: async (session, flags) => {
    const { output } = session;
    assertDriver();
    const { copyService } = await import("../../../daemon/maintenance.js");
    const copied = await withProgress(session, (progress) =>
      copyService(flags.from, flags.to, copyReport(progress, session)),
    ).catch(toStoreFailure("wireroom down"));
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
      output.note(`Copied ${rows} rows from ${from} to ${to}. All tables match.`);
      const databaseUrl = to.startsWith("sqlite:") ? to : flags.to;
      output.nextSteps(`wireroom up${databaseFlags({ databaseUrl })}`);
    });
  },
});

const addCompact = command<Flags>({
  name: "compact",
  description: "make the SQLite file smaller after wires were deleted",
  options: addDatabaseOptions,
  help: `\
Stop the daemon first. New wires use the space of deleted ones, so this is needed only to give space back to the disk.
The disk needs free space for a copy, which is verified before it replaces the file. On PostgreSQL, use VACUUM FULL
or pg_repack instead.`,
  examples: "wireroom down && wireroom store compact && wireroom up",
  run: async (session, flags) => {
    const { output } = session;
    const settings = await readDatabaseSettings(session, flags);
    const { compact } = await import("../../../daemon/maintenance.js");
    const { database, bytesBefore, bytesAfter } = await withProgress(session, (progress) =>
      compact(settings, (done) => progress.showPercent("compacting", done)),
    ).catch(toStoreFailure(`wireroom down${dataDirFlag(flags)}`));
    output.result({ database, bytes_before: bytesBefore, bytes_after: bytesAfter }, () => {
      output.line(`Compacted ${database}: ${size(bytesBefore)} before, ${size(bytesAfter)} after.`);
      output.nextSteps(`wireroom up${databaseFlags(flags)}`);
    });
  },
});

export const add = noun(
  "store",
  "check the stored data, copy it to another database, or make its file smaller",
  [addCheck, addCopy, addCompact],
);
