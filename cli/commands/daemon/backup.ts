import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { withProgress } from "../../output/progress.js";
import { size } from "../../output/units.js";
import { refusalOf } from "../../work/daemon/refusal.js";
import { again, settingsOf } from "../../work/daemon/settings.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addDatabase } from "./settings-flags.js";

interface BackupFlags extends Flags {
  force?: boolean;
}

/** `wireroom backup` and `wireroom restore`. */
export function addBackupCommands(program: Command): void {
  addBackup(program);
  addRestore(program);
}

function addBackup(program: Command): void {
  const command = program
    .command("backup")
    .helpGroup(HEADINGS.daemon)
    .description("copy everything into one file, also while the daemon runs")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace a file that is there already");
  addDatabase(command)
    .addHelpText(
      "after",
      `
The copy holds all that was committed at one moment, is checked, and appears under its name once it is whole. It has the
signing keys in it: keep it as safe as the daemon itself. Keys of agents and passwords are in it as hashes alone.

Examples:
  $ wireroom backup wireroom-$(date +%F).db
  $ wireroom backup --force /mnt/backups/wireroom.db`,
    )
    .action(
      action<BackupFlags>(async (session, flags, target) => {
        const { output } = session;
        const settings = await settingsOf(flags, session.env);
        const { backUp } = await import("../../../daemon/maintenance/backup.js");
        const { file, database, bytes } = await withProgress(session, (progress) =>
          backUp(settings, target!, {
            force: flags.force === true,
            onProgress: (done) => progress.share("copying", done),
          }),
        ).catch(refusalOf());
        output.result({ file, database, bytes }, () => {
          output.line(`${file} holds everything (${size(bytes)}).`);
          output.next(`wireroom restore ${target}${again(flags)}`);
        });
      }),
    );
}

function addRestore(program: Command): void {
  const command = program
    .command("restore")
    .helpGroup(HEADINGS.daemon)
    .description("put a backup in the place of the database, which is kept beside it")
    .argument("<file>", "what wireroom backup wrote");
  addDatabase(command)
    .addHelpText(
      "after",
      `
The daemon must not run. The file is checked before anything is replaced.

Example:
  $ wireroom down && wireroom restore wireroom.db && wireroom up`,
    )
    .action(
      action<Flags>(async (session, flags, backup) => {
        const { output } = session;
        const settings = await settingsOf(flags, session.env);
        const { restore } = await import("../../../daemon/maintenance/restore.js");
        const { database, kept, schemaVersion } = await withProgress(session, (progress) =>
          restore(settings, backup!, (done) => progress.share("restoring", done)),
        ).catch(refusalOf(`wireroom down${again(flags)}`));
        output.result({ database, kept, schema_version: schemaVersion }, () => {
          output.line(`${database} holds what ${backup} held.`);
          if (kept !== null) output.line(`The database before it is kept: ${kept}`);
          output.next(`wireroom up${again(flags)}`);
        });
      }),
    );
}
