/** Runs the commands of hosts that are programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a command with its output on the program's. Throws if it fails. @param input sent to its standard input */
export async function run(command, args, { env = {}, input, cwd } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    cwd,
    stdio: [input === undefined ? "ignore" : "pipe", "inherit", "inherit"],
  });
  if (input !== undefined) child.stdin.end(input);
  const [code] = await once(child, "close");
  if (code !== 0)
    throw new Error(`${[command.split("/").at(-1), ...args].join(" ").slice(0, 60)} ended with ${code}`);
}
