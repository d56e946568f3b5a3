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

describe.skipIf(ENGINE !== "sqlite" || !hasPrlimit())("a daemon with few open files", () => {
  // [D12-open-files]
  it("closes idle connections before they use up the files, and serves others", async () => {
    const launcher = ["prlimit", "--nofile=200:200"];
    const daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS, launcher });
    const port = Number(new URL(daemon.origin).port);
    const sockets = Array.from({ length: 400 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    try {
      await expect
        .poll(() => sockets.filter(({ closed }) => closed).length, { timeout: 10_000 })
        .toBeGreaterThan(300);
      expect(sockets.some(({ closed }) => !closed)).toBe(true);
      const alice = await daemon.createAgent("alice");
      expect((await alice.post("/wires", { to: "alice", text: "hello" })).status).toBe(201);
    } finally {
      for (const socket of sockets) socket.destroy();
      await daemon.stop();
    }
  });
});
