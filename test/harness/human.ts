/** A human who uses the command: an e-mail address, a folder of profiles and a terminal. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PROGRAM_VARIABLES } from "../../cli/session.js";
import { type CommandResult, type RunOptions, runProcess } from "./command.js";
import type { Body, TestDaemon } from "./daemon.js";
import { runInProcess } from "./in-process.js";
import { TemporaryFolder } from "./temporary-folder.js";
import { Terminal, type TerminalOptions } from "./terminal.js";

export const PASSWORD = "correct horse battery";

/** Variables that the environment of the test run may contain. */
const UNSET = {
  WIREROOM_API_KEY: undefined,
  WIREROOM_ID_TOKEN: undefined,
  WIREROOM_HANDLE: undefined,
  WIREROOM_PROFILE: undefined,
  WIREROOM_PASSWORD: undefined,
  ...Object.fromEntries(PROGRAM_VARIABLES.map((name) => [name, undefined])),
};

let humanCount = 0;

export class Human {
  readonly email = `person${++humanCount}@example.com`;
  readonly #folder = new TemporaryFolder("wireroom-config-");

  constructor(private readonly daemon: () => TestDaemon) {}

  get folder(): string {
    return this.#folder.path;
  }

  get env(): Record<string, string | undefined> {
    return { ...UNSET, WIREROOM_CONFIG_DIR: this.folder, WIREROOM_URL: this.daemon().base };
  }

  /** Runs the command in this process, without a terminal. */
  run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    return runInProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs the command in a separate process. */
  spawn(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    return runProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs the command with `--json`. Returns its output, or rejects if it fails. */
  async runJson(args: readonly string[], options?: RunOptions): Promise<Body> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], options);
    if (code !== 0) throw new Error(`wireroom ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Runs the command in this process, in a terminal. */
  openTerminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
    return Terminal.inProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs the command in a separate process, for tests of signals and of what the terminal itself echoes. */
  spawnTerminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
    return Terminal.wireroom(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Waits for the latest confirmation code in the daemon's log. */
  waitForCode(email = this.email): Promise<string> {
    return this.waitForLogged(email, "confirmation code");
  }

  /** Waits for the latest code for a new password in the daemon's log. */
  waitForResetCode(): Promise<string> {
    return this.waitForLogged(this.email, "password reset code");
  }

  private async waitForLogged(email: string, message: string): Promise<string> {
    for (let i = 0; i < 200; i++) {
      const code = confirmationCodes(this.daemon().log(), email, message).at(-1);
      if (code !== undefined) return code;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no code for ${email} in the log`);
  }

  /** Creates and confirms the account, then signs in by the command. */
  async signUpAndLogIn(): Promise<void> {
    await post(this.daemon(), "sign-up", { email: this.email, password: PASSWORD });
    await post(this.daemon(), "confirm", {
      email: this.email,
      code: await this.waitForCode(),
      password: PASSWORD,
    });
    await this.runJson(["login", "--email", this.email], { env: { WIREROOM_PASSWORD: PASSWORD } });
  }

  async readProfile(name = "default"): Promise<Body> {
    return JSON.parse(await readFile(this.profilePath(name), "utf8"));
  }

  profilePath(name = "default"): string {
    return join(this.folder, "profiles", `${name}.json`);
  }
}

async function post({ origin }: TestDaemon, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${origin}/identity/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** Returns the codes of an address in a log, oldest first. */
export function confirmationCodes(log: string, email: string, message = "confirmation code"): string[] {
  return log
    .split("\n")
    .filter((line) => line.includes(`"${message}"`))
    .map((line) => JSON.parse(line) as { email: string; code: string })
    .filter((line) => line.email === email)
    .map(({ code }) => code);
}
