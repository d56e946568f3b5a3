/** Clients that use up the open files of the daemon. */
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { NO_LIMITS_FEW_LOGS, startDaemon } from "../harness/daemon.js";
import { ENGINE } from "../harness/database.js";

const hasPrlimit = () => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(ENGINE !== "sqlite" || !hasPrlimit())("a daemon without a free file", () => {
  it("reads bodies again once there is one, although it could not open its own files before [D12-open-files]", async () => {
    const daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS });
    try {
      const alice = await daemon.createAgent("alice");
      await daemon.restart();
      const { port } = new URL(daemon.origin);
      // The daemon opens its modules after its ready line. So the limit is set at once, below the files that it has open.
      execFileSync("prlimit", ["--pid", String(daemon.process.pid), "--nofile=16:"]);
      const sockets = Array.from({ length: 20 }, () =>
        connect(Number(port), "127.0.0.1").on("error", () => {}),
      );
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      for (const socket of sockets) socket.destroy();
      execFileSync("prlimit", ["--pid", String(daemon.process.pid), "--nofile=1024:"]);
      const send = async () => (await alice.post("/wires", { to: "alice", text: "hello" })).status;
      await expect.poll(() => send().catch(() => 0), { timeout: 10_000 }).toBe(201);
    } finally {
      await daemon.stop();
    }
  });
});
