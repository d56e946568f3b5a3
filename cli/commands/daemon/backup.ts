/** Declares `wireroom backup` and `wireroom restore`. */
import type { Flags } from "../../../daemon/settings.js";
import { Interrupted } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { size } from "../../output/units.js";
import { databaseFlags, dataDirFlag, readDatabaseSettings } from "../../services/daemon/settings.js";
import { toStoreFailure } from "../../services/daemon/store-failure.js";
import { onInterrupt } from "../../signals.js";
import { command } from "../command.js";
import { addDatabaseOptions } from "./settings-options.js";

interface BackupFlags extends Flags {
  force?: boolean;
}

interface RestoreFlags extends Flags {
  replace?: boolean;
}

const addBackup = command<BackupFlags>({
  name: "backup",
  description: "copy the database into one file, even while the daemon runs",
  arguments: [{ usage: "<file>", description: "file to write" }],
  options: (command) => addDatabaseOptions(command.option("--force", "replace an existing file")),
  help: `\
The backup is a consistent snapshot. It is verified, and the file appears only when it is complete.
It contains the signing keys of the daemon, so keep it secret. API keys and passwords are in it only as hashes.`,
  examples: ["wireroom backup wireroom-$(date +%F).db", "wireroom backup --force /mnt/backups/wireroom.db"],
  run: async (session, flags, target) => {
    const { output } = session;
    const settings = await readDatabaseSettings(session, flags);
    const { backUp } = await import("../../../daemon/maintenance.js");
    const stop = new AbortController();
    onInterrupt((exitCode) => stop.abort(new Interrupted(exitCode)));
    const { file, database, bytes } = await withProgress(session, (progress) =>
      backUp(settings, target!, {
        force: flags.force === true,
        onProgress: (done) => progress.showPercent("copying", done),
        signal: stop.signal,
      }),
    ).catch(
      toStoreFailure(
        undefined,
        (url) => `Dump it: pg_dump --format=custom --file=${shellQuoted(target!)} ${url}`,
      ),
    );
    output.result({ file, database, bytes }, () => {
      output.line(`Wrote the backup to ${file} (${size(bytes)}).`);
      output.nextSteps(`wireroom store check --database-url sqlite:${shellQuoted(target!)}`);
    });
  },
});

const addRestore = command<RestoreFlags>({
  name: "restore",
  description: "restore the SQLite database from a backup",
  arguments: [{ usage: "<file>", description: "file written by wireroom backup" }],
  options: (command) =>
    addDatabaseOptions(
      command.option("--replace", "replace an existing database, and keep it under another name"),
    ),
  help: "Stop the daemon first. The backup is verified before anything is replaced.",
  examples: [
    "wireroom restore backup.db",
    "wireroom down && wireroom restore backup.db --replace && wireroom up",
  ],
  run: async (session, flags, backup) => {
    const { output } = session;
    const settings = await readDatabaseSettings(session, flags);
    const usual = await readDatabaseSettings(session, { dataDir: flags.dataDir });
    const isUsual = usual.databaseUrl === settings.databaseUrl;
    const { restore } = await import("../../../daemon/maintenance.js");
    const { database, kept, schemaVersion } = await withProgress(session, (progress) =>
      restore(settings, backup!, {
        replace: flags.replace === true,
        onProgress: (done) => progress.showPercent("restoring", done),
      }),
    ).catch(
      toStoreFailure(
        `wireroom down${dataDirFlag(flags)}`,
        (url) => `Restore a dump into an empty database: pg_restore --dbname=${url} ${shellQuoted(backup!)}`,
      ),
    );
    output.result({ database, kept, schema_version: schemaVersion }, () => {
      output.line(`Restored ${database} from ${backup}.`);
      if (kept !== null) output.line(`The old database is kept: ${kept}`);
      output.nextSteps(`wireroom up${isUsual ? dataDirFlag(flags) : databaseFlags(flags)}`);
    });
  },
});

export const add = [addBackup, addRestore];
