/** Databases of earlier versions, in which another index had the sent wires. */
import { describe, expect, it } from "vitest";
import { takeBackTo } from "../../faults/load/older-schema.js";
import { startDaemon } from "../harness/daemon.js";
import { ENGINE, withDatabase } from "../harness/database.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";

/** The last migration before `sent-approvals`. */
const BEFORE_SENT_APPROVALS = 13;

describe.skipIf(ENGINE !== "sqlite")("the wires that a handle has sent", () => {
  // [D14-sent-pages]
  it("have the same order after an upgrade, also those that were held", async () => {
    const daemon = await startDaemon({ isHosted: true });
    try {
      const alice = await daemon.createAgent("alice");
      await setEgressPolicy(alice, { mode: "approval", allow: ["@bob"] });
      await daemon.createAgent("bob");
      await daemon.createAgent("carol");
      const held = await sendHeldWire(alice, "carol");
      const first = (await alice.post("/wires", { to: "bob", text: "first" })).body;
      await decideApproval(alice, held);
      const last = (await alice.post("/wires", { to: "bob", text: "last" })).body;
      await daemon.restart(() => takeBackTo(BEFORE_SENT_APPROVALS, daemon.dataDir));
      const ids = [last.id, held.id, first.id];
      let query = "?limit=1";
      for (const id of ids) {
        const { wires, next_cursor } = (await alice.get(`/sent${query}`)).body;
        expect(wires).toMatchObject([{ id }]);
        query = `?limit=1&cursor=${encodeURIComponent(next_cursor)}`;
      }
    } finally {
      await daemon.stop();
    }
  });

  // [D14-sent]
  it("include one that a daemon of the version before released during a rolling update", async () => {
    const daemon = await startDaemon({ isHosted: true });
    try {
      const alice = await daemon.createAgent("alice");
      await setEgressPolicy(alice, { mode: "approval" });
      await daemon.createAgent("carol");
      const held = await sendHeldWire(alice, "carol");
      await decideApproval(alice, held);
      // That version does not know the column.
      await withDatabase(daemon.dataDir, (database) => database.run("UPDATE approvals SET wire = NULL"));
      expect((await alice.get("/sent")).body.wires).toMatchObject([{ id: held.id }]);
    } finally {
      await daemon.stop();
    }
  });
});
