import { beforeAll, describe, expect, it } from "vitest";
import { Wire } from "../../src/contract/shapes.js";
import type { Session } from "../../src/store/engine/engine.js";
import { withReadOnlyTransaction } from "../../src/store/engine/postgres/locked-read.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { appendField, appendFieldSql, completeDoc } from "../../src/store/wires/wire-json.js";
import { ENGINE } from "../harness/database.js";
import { createDatabase } from "../harness/postgres-server.js";

/** Fields that a contract could get: `subject` first, and `priority` after it. */
const LATER = [
  { name: "priority", absent: '"normal"' },
  { name: "subject", absent: `"it's \\"new\\""` },
];

let select: (expression: string, doc: string) => Promise<unknown>;

beforeAll(async () => {
  const read = async (session: Session, expression: string, doc: string) => {
    const sql = `SELECT ${expression} AS json FROM (SELECT CAST(? AS text) AS doc) w`;
    return JSON.parse(String((await session.get<{ json: string }>(sql, [doc]))!.json));
  };
  if (ENGINE === "postgres") {
    const url = await createDatabase();
    select = (expression, doc) => withReadOnlyTransaction(url, (session) => read(session, expression, doc));
  } else {
    const connection = await Connection.open(":memory:");
    select = (expression, doc) => read(connection, expression, doc);
  }
});

describe("the JSON of a wire", () => {
  it("has the default of each field that its stored document lacks", async () => {
    const complete = completeDoc("w.doc", LATER);
    const oldest = { id: "1", text_body: 'Grüße, "priority":\u0000 😀' };
    const older = { subject: "a", ...oldest };
    const newest = { priority: "high", ...older };
    expect(await select(complete, JSON.stringify(oldest))).toEqual({
      priority: "normal",
      subject: `it's "new"`,
      ...oldest,
    });
    expect(await select(complete, JSON.stringify(older))).toEqual({ priority: "normal", ...older });
    expect(await select(complete, JSON.stringify(newest))).toEqual(newest);
  });

  it("states a default for each stored field that older wires lack, and such fields first", () => {
    const ofFirstVersion = new Set(
      "id sender_id recipient_id space_id sender recipient space text_body payload schema_ref reply_to thread_id reply_rule tombstone created_at".split(
        " ",
      ),
    );
    const names = Object.keys(Wire.properties);
    const later = (Wire.required as string[]).filter((name) => !ofFirstVersion.has(name));
    expect(names.slice(0, later.length)).toEqual(later);
    const shapes: Record<string, object> = Wire.properties;
    expect(later.filter((name) => !("default" in shapes[name]!))).toEqual([]);
  });

  it("gets a last field from SQL as from TypeScript", async () => {
    const doc = JSON.stringify({ id: "1", text_body: "Grüße 😀" });
    const found = await select(appendFieldSql(ENGINE, "w.doc", "vote_count", "3"), doc);
    expect(found).toEqual(JSON.parse(appendField(doc, "vote_count", "3")));
  });
});
