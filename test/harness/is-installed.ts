import { execFileSync } from "node:child_process";

/** Returns whether this machine has a command. @param flag flag that makes the command print its version */
export function isInstalled(command: string, flag = "--version"): boolean {
  try {
    execFileSync(command, [flag], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
