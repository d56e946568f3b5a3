/** Makes reads, writes and syncs of a process fail with EIO, with a library that is compiled on the fly. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("./fail-io.c", import.meta.url));

/** An operation and the end of a path, such as `sync wireroom.db`. */
export type IoRule = `${"read" | "write" | "sync"} ${string}`;

/** Whether this machine can compile and preload the library. Tests are skipped otherwise. */
export const canFailIo = process.platform === "linux" && hasCompiler();

function hasCompiler(): boolean {
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("no C compiler (cc): tests of a failing disk are skipped");
    return false;
  }
}

export class FailingIo {
  private readonly folder = mkdtempSync(join(tmpdir(), "wireroom-fail-io-"));
  private readonly rules = join(this.folder, "rules");

  constructor() {
    execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", this.library, SOURCE, "-ldl"]);
  }

  private get library(): string {
    return join(this.folder, "fail-io.so");
  }

  /** The environment of a process whose input and output can fail. */
  get env(): Record<string, string> {
    return { LD_PRELOAD: this.library, FAIL_IO_RULES: this.rules };
  }

  /** From now on, the operations that the rules name fail with EIO. Without rules, nothing fails. */
  fail(...rules: IoRule[]): void {
    writeFileSync(this.rules, rules.join("\n"));
  }

  /** Returns the rules by which operations have failed so far, once for each failure. */
  hits(): string[] {
    try {
      return readFileSync(`${this.rules}.hits`, "utf8").trimEnd().split("\n");
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
