import { access, constants, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreRefused } from "../engine.js";

/**
 * Makes the file's folder where there is none. SQLite by itself would open a file that it cannot write, and fail later.
 * Throws `StoreRefused` where folder or file cannot be written.
 */
export async function assertWritable(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  } catch (error) {
    const { message } = error as Error;
    const advice = "make it writable, or choose another data folder";
    throw new StoreRefused(`the data folder ${folder} cannot be written (${message}); ${advice}`, {
      cause: error,
    });
  }
}

/** Throws `StoreRefused` where there is no file that can be written. */
export async function assertThere(file: string): Promise<void> {
  await access(file, constants.R_OK | constants.W_OK).catch((error: Error) => {
    const advice = "name the daemon's own --data-dir or --database-url, and start it once before";
    throw new StoreRefused(`there is no database to write at ${file} (${error.message}); ${advice}`);
  });
}
