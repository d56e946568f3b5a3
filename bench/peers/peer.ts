/** The interface of the services that Wireroom is compared with, and functions to start them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { stopProcess } from "../servers/process.js";

export interface Peer {
  name: string;
  /** Describes the durability of an acknowledged message. */
  durability: string;
  /** Starts the service on an empty folder. Returns the reason as a text if it cannot be started. */
  start(folder: string): Promise<PeerServer | string>;
  /** Connects a new sender and recipient. @param run number that makes the addresses of this run unique */
  connect(url: string, run: number, pair: number): Promise<Pair>;
}

export interface PeerServer {
  url: string;
  stop(): Promise<void>;
}

export interface Pair {
  /** Sends a text, and waits until it is acknowledged and the recipient has received it. */
  exchange(text: string): Promise<void>;
  close(): void;
}

/** Finds a program in the PATH, or in a folder where Debian installs server programs. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const path = (process.env.PATH ?? "").split(delimiter);
  return [...folders, ...path, "/usr/sbin", "/usr/local/sbin"]
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

export interface Launch {
  command: string;
  args: readonly string[];
  port: number;
  /** System user to run as if this process is root, because some servers refuse to run as root. */
  user?: string;
}

/** Starts a server and waits until its port accepts connections. */
export async function launch({ command, args, port, user }: Launch): Promise<PeerServer> {
  const child = spawn(command, args, { stdio: "ignore", ...idsOf(user) });
  await listening(port, child);
  return { url: `tcp://127.0.0.1:${port}`, stop: () => stopProcess(child) };
}

/** Returns the uid and gid of a user; undefined if this process is not root. */
export function idsOf(user: string | undefined): { uid: number; gid: number } | undefined {
  if (user === undefined || process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}
