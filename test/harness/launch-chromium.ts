/**
 * A real browser for tests of pages. On Linux (x64) it is the Chromium of the package `@sparticuz/chromium`,
 * and a test fails if it does not start. On other systems it is an installed Chrome or Edge, and the tests
 * are skipped if there is none.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { packageFile } from "../../src/kernel/package-file.js";
import { lastingFolder } from "./temporary-files.js";

const { devDependencies } = JSON.parse(readFileSync(packageFile("test/package.json"), "utf8"));
const VERSION: string = devDependencies["@sparticuz/chromium"];

/** Starts the browser. Returns undefined if the machine has none. */
export async function launchChromium(): Promise<Browser | undefined> {
  if (process.platform === "linux" && process.arch === "x64") return chromium.launch(await packaged());
  for (const channel of ["chrome", "msedge", "chromium"]) {
    const browser = await chromium.launch({ channel }).catch(() => undefined);
    if (browser) return browser;
  }
  return undefined;
}

/**
 * Returns the options that start the Chromium of the package, which is unpacked once for a machine and user.
 */
async function packaged(): Promise<LaunchOptions> {
  const folder = join(lastingFolder(), `wireroom-chromium-${VERSION}-${userInfo().uid}`);
  if (!existsSync(folder)) await unpack(folder);
  const hasLibraries = ["/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"].some(
    (path) => existsSync(join(path, "libnss3.so")),
  );
  return {
    executablePath: join(folder, "chromium"),
    args: ["--disable-gpu"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      // The package also has the libraries that a small container lacks.
      ...(!hasLibraries && { LD_LIBRARY_PATH: join(folder, "al2023", "lib") }),
    },
  };
}

/**
 * Unpacks the package into the folder. The package's own function unpacks into the folder of temporary files,
 * file by file and without a lock, so another process could start an incomplete browser. Here, all files
 * appear at once, by a rename.
 */
async function unpack(folder: string): Promise<void> {
  const parts = await mkdtemp(`${folder}-`);
  const script = "(await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", `await ${script}`], {
    cwd: import.meta.dirname,
    // The package unpacks its libraries only if it seems to run in this environment.
    env: { ...process.env, TMPDIR: parts, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  const cache = join(folder, "font-cache");
  await mkdir(join(parts, "font-cache"));
  await writeFile(
    join(parts, "fonts.conf"),
    `<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${cache}</cachedir></fontconfig>`,
  );
  await rename(parts, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(parts, { recursive: true });
    // Another process was faster.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
}
