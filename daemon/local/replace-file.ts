import { rename, rm, writeFile } from "node:fs/promises";

/** After a crash or on a full disk, the file has either the old or the new content. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  // A killed process may have left its draft behind.
  await rm(draft, { force: true });
  await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: true });
  await rename(draft, file);
}
