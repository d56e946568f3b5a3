/** Runs the commands of hosts that are programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a command with the input and output of the program. Throws if it fails. */
export async function run(command, args, { env = {}, cwd } = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code === 0) return;
  const line = [command.split("/").at(-1), ...args].join(" ").slice(0, 60);
  throw new Error(`${line} ended with ${code}`);
}
