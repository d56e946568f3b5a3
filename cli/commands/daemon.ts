import { type Command, Option } from "commander";
import type { Flags } from "../../daemon/settings.js";

/** `wireroom daemon`. The variables are read by the daemon itself, so that a flag wins over its variable. */
export function addDaemonCommand(program: Command): void {
  const variable = (name: string) => `(env: ${name})`;
  program
    .command("daemon")
    .description("run the daemon in the foreground")
    .option("--host <host>", `address to listen on ${variable("WIREROOM_HOST")} (default: 127.0.0.1)`)
    .option(
      "--port <port>",
      `port to listen on, 0 for any free one ${variable("WIREROOM_PORT")} (default: 4747)`,
    )
    .option(
      "--data-dir <folder>",
      `where everything is kept ${variable("WIREROOM_DATA_DIR")} (default: the platform's data folder)`,
    )
    .option(
      "--database-url <url>",
      `sqlite:/path/to/file ${variable("WIREROOM_DATABASE_URL")} (default: sqlite:{data-dir}/wireroom.db)`,
    )
    .option(
      "--public-url <origin>",
      `origin in every URI handed out ${variable("WIREROOM_PUBLIC_URL")} (default: the one listened on)`,
    )
    .option(
      "--oidc-issuer <url>",
      `an identity provider of your own ${variable("WIREROOM_OIDC_ISSUER")} (default: the embedded one)`,
    )
    .option("--oidc-audience <id>", `the client id in its ID tokens ${variable("WIREROOM_OIDC_AUDIENCE")}`)
    .option(
      "--smtp-url <url>",
      `mail server for confirmation codes ${variable("WIREROOM_SMTP_URL")} (default: codes go to the log)`,
    )
    .addOption(
      new Option(
        "--limit <name=n>",
        `set a rate limit, or lift it with none; repeatable ${variable("WIREROOM_LIMITS")}`,
      ).argParser((value: string, all: string[] = []) => [...all, value]),
    )
    .option(
      "--log-level <level>",
      `fatal, error, warn, info, debug, trace or silent ${variable("WIREROOM_LOG_LEVEL")} (default: info)`,
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom daemon
  $ wireroom daemon --port 8080 --data-dir ./data --limit wires_per_minute=600
  $ wireroom daemon --oidc-issuer https://accounts.example.com --oidc-audience wireroom`,
    )
    .action(async (flags: Flags) => {
      const { runDaemon } = await import("../../daemon/main.js");
      process.exitCode = await runDaemon(flags);
    });
}
