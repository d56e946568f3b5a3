/** The commands that administer the daemon on its own machine, completion, and the generated page. */
export const cliDaemonRequirements: Readonly<Record<string, string>> = {
  "C-up-serves":
    "up starts the daemon in the background, waits until it serves, and says where and what next.",
  "C-up-again": "up leaves a daemon that runs alone, says so, and exits with 0.",
  "C-up-fails": "A daemon that does not start leaves nothing running, and its reason is what up says.",
  "C-up-profile": "The profile takes over the daemon's url, unless it has a sign-in or keys of another one.",
  "C-up-no-secrets":
    "What is secret in a flag stands neither in the list of processes nor in the data folder.",
  "C-start-ends":
    "The daemon of npm start ends with it: a signal to npm, its shell or their group leaves none behind.",
  "C-down-ends": "down ends the daemon and waits for its end; where none runs it says so and exits with 0.",
  "C-status": "status says whether the daemon runs and how it does; 0 where it runs, 8 where it does not.",
  "C-stale-state":
    "What a killed daemon left behind misleads no command, whoever has its process number now.",
  "C-one-folder": "A data folder serves one daemon, wherever the database lies.",
  "C-logs": "logs gives the last lines, readable on a terminal, as JSON lines in a pipe and with --json.",
  "C-logs-follow": "logs -f goes on past a rotation and misses nothing; Ctrl-C ends it with 130.",
  "C-logs-bounded": "The log does not grow without end: a full one is kept once.",
  "C-closed-pipe": "A reader that has had enough is no error.",
  "C-doctor": "doctor checks what the daemon needs, says how to mend what is wrong, and exits with 1 then.",
  "C-doctor-undisturbed": "doctor examines a running daemon with its own settings, and does not disturb it.",
  "C-backup": "backup copies one committed moment, while the daemon writes; no file is replaced unasked.",
  "C-restore": "restore puts a backup in place, keeps what was there, and refuses while a daemon runs.",
  "C-restore-checks":
    "restore refuses what is no sound database of a version that it knows, and changes nothing.",
  "C-store-copy":
    "store copy moves a whole service between databases of either engine: keys, ids, cursors and searches stay.",
  "C-store-copy-compared":
    "A copy is done once counts and checksums of every table are equal in both; what differs is refused.",
  "C-store-copy-empty": "A target with anything in it is refused, and left as it is.",
  "C-store-copy-source":
    "A source is copied while nothing can change it: where a daemon runs, or the version differs, it is refused.",
  "C-store-copy-resumes":
    "What interrupted a copy, kill -9 too, costs one page: the same command goes on from there.",
  "C-store-copy-half": "No daemon serves a half-copied database; it says why, and how the copy goes on.",
  "C-store-copy-progress": "A copy says on standard error how far each table is, and how fast.",
  "C-mcp-profile": "mcp uses the profile's key and url as any other command.",
  "C-completion": "completion prints a script that completes commands, options and their values.",
  "C-package":
    "The installed package works with nothing beside it but its dependencies, and says what to do where their binary is missing.",
  "C-suggestion": "A mistyped command, also a subcommand, suggests the nearest.",
  "C-help-light": "help loads neither the SDK, the daemon nor the views.",
  "C-readme":
    "README.md runs as printed, from the first line to the last, in a fresh shell with an empty home.",
  "C-page": "docs/cli.md names every command, exit code and variable.",
};
