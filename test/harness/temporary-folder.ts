/** A folder that is removed when the test process exits. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const paths: string[] = [];

process.once("exit", () => {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
});

export class TemporaryFolder {
  readonly path: string;

  constructor(prefix: string) {
    this.path = mkdtempSync(join(tmpdir(), prefix));
    paths.push(this.path);
  }
}
