/** Installs a client into a folder of its own, with the version of Node that it needs. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { packageFile } from "../../src/kernel/package-file.js";

/** Installed if a client does not run on the Node version of this process. */
const NEWER_NODE = "22.23.3";

const PROGRAMS = packageFile("test/hosts/programs");

export interface Installation {
  folder: string;
  /** The Node executable that runs the client. */
  node: string;
  nodeVersion: string;
}

const installations = new Map<string, Promise<Installation>>();
/** npm runs one at a time, so that it does not download a package twice. */
let last: Promise<unknown> = Promise.resolve();

/** Installs packages, unless an earlier run has installed them into the folder. */
export function install(root: string, packages: Record<string, string>): Promise<Installation> {
  const id = createHash("sha256").update(JSON.stringify(packages)).digest("hex").slice(0, 12);
  const known = installations.get(id);
  if (known) return known;
  const made = last.catch(() => {}).then(() => installInto(root, join(root, id), packages));
  installations.set(id, made);
  last = made;
  return made;
}

async function installInto(
  root: string,
  folder: string,
  packages: Record<string, string>,
): Promise<Installation> {
  const node = join(folder, "node.json");
  if (!existsSync(node)) await writeFile(node, JSON.stringify(await npmInstall(root, folder, packages)));
  await cp(PROGRAMS, folder, { recursive: true });
  return { folder, ...JSON.parse(await readFile(node, "utf8")) };
}

async function npmInstall(root: string, folder: string, packages: Record<string, string>) {
  await mkdir(folder, { recursive: true });
  const manifest = { private: true, type: "module", dependencies: packages };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const failure = await npm(folder, process.execPath);
  if (!failure) return { node: process.execPath, nodeVersion: process.versions.node };
  if (!failure.includes("EBADENGINE")) throw new Error(failure);
  const newer = await newerNode(root);
  const again = await npm(folder, newer);
  if (again) throw new Error(again);
  return { node: newer, nodeVersion: NEWER_NODE };
}

async function newerNode(root: string): Promise<string> {
  const folder = join(root, `node-${NEWER_NODE}`);
  const executable = join(folder, "node_modules/node/bin/node");
  if (existsSync(executable)) return executable;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies: { node: NEWER_NODE } }));
  const failure = await npm(folder, process.execPath);
  if (failure) throw new Error(failure);
  return executable;
}

/** Runs `npm install`. Returns its output if it fails. */
async function npm(folder: string, node: string): Promise<string | undefined> {
  const child = spawn("npm", ["install", "--engine-strict", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  const [output, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => child.once("exit", resolve)),
  ]);
  return code === 0 ? undefined : output;
}

/** Returns the version of an installed package. */
export async function versionOf({ folder }: Installation, name: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8")).version;
}
