/** A person with a folder of profiles and a terminal, in front of one daemon. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ended, type RunOptions, wireroom } from "./command.js";
import type { Body, TestDaemon } from "./daemon.js";
import { Folder } from "./folder.js";
import { runInProcess } from "./in-process.js";
import { Terminal, type TerminalOptions } from "./terminal.js";

export const PASSWORD = "correct horse battery";

/** What an earlier test run or its user may have set. */
const UNSET = {
  WIREROOM_API_KEY: undefined,
  WIREROOM_ID_TOKEN: undefined,
  WIREROOM_HANDLE: undefined,
  WIREROOM_PROFILE: undefined,
  WIREROOM_PASSWORD: undefined,
};

let people = 0;

export class Person {
  readonly email = `person${++people}@example.com`;
  readonly #folder = new Folder("wireroom-config-");

  constructor(private readonly daemon: () => TestDaemon) {}

  get folder(): string {
    return this.#folder.path;
  }

  get env(): Record<string, string | undefined> {
    return { ...UNSET, WIREROOM_CONFIG_DIR: this.folder, WIREROOM_URL: this.daemon().base };
  }

  /** Runs the command in a pipe. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return runInProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** The same as a process of its own. */
  spawn(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return wireroom(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs it with `--json`, and gives what it answers. Rejects where it fails. */
  async json(args: readonly string[], options?: RunOptions): Promise<Body> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], options);
    if (code !== 0) throw new Error(`wireroom ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Runs it in a terminal. */
  terminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
    return Terminal.wireroom(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** The latest confirmation code in the daemon's log. */
  async code(email = this.email): Promise<string> {
    for (let i = 0; i < 200; i++) {
      const code = codesOf(this.daemon().log(), email).at(-1);
      if (code !== undefined) return code;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no code for ${email} in the log`);
  }

  /** Makes the account, and signs in with the command. */
  async signUp(): Promise<void> {
    await post(this.daemon(), "sign-up", { email: this.email, password: PASSWORD });
    await post(this.daemon(), "confirm", { email: this.email, code: await this.code() });
    await this.json(["login", "--email", this.email], { env: { WIREROOM_PASSWORD: PASSWORD } });
  }

  /** What the profile's file holds. */
  async profile(name = "default"): Promise<Body> {
    return JSON.parse(await readFile(this.profileFile(name), "utf8"));
  }

  profileFile(name = "default"): string {
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

/** Every code that a log shows for an address, oldest first. */
export function codesOf(log: string, email: string): string[] {
  return log
    .split("\n")
    .filter((line) => line.includes('"confirmation code"'))
    .map((line) => JSON.parse(line) as { email: string; code: string })
    .filter((line) => line.email === email)
    .map(({ code }) => code);
}
