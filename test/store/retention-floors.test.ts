import { describe, expect, it } from "vitest";
import type { Session } from "../../src/store/engine/engine.js";
import { openWithoutLock } from "../../src/store/index.js";
import { RetentionFloors } from "../../src/store/retention/floors.js";
import { createSpace, expectOk } from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { databaseUrlOf } from "../harness/database.js";

const { daemon, alice } = await hostedFixture(["alice"]);

describe("floors", () => {
  // [D15-retain-days]
  it("that were read before a space changed are not used after it", async () => {
    await createSpace(alice, "racing");
    const engine = await openWithoutLock(databaseUrlOf(daemon.dataDir));
    const { reader } = engine;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reportRead: () => void = () => undefined;
    const hasRead = new Promise<void>((resolve) => {
      reportRead = resolve;
    });
    let isFirst = true;
    const slowReader: Session = {
      engine: reader.engine,
      get: (sql, params) => reader.get(sql, params),
      run: (sql, params) => reader.run(sql, params),
      async all<Row>(...query: Parameters<Session["all"]>) {
        const isHeld = isFirst;
        isFirst = false;
        const rows = await reader.all<Row>(...query);
        if (isHeld) {
          reportRead();
          await held;
        }
        return rows;
      },
    };
    const floors = new RetentionFloors({ reader: slowReader }, null);
    const early = floors.all();
    await hasRead;
    await expectOk(alice.put("/spaces/racing", { retain_days: 77 }));
    floors.forgetSpaces();
    const late = floors.all();
    release();
    expect((await early).byDays.has(77)).toBe(false);
    expect((await late).byDays.has(77)).toBe(true);
    expect((await floors.all()).byDays.has(77)).toBe(true);
    await engine.close();
  });
});
