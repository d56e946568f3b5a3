import { beforeAll, describe, expect, it } from "vitest";
import { Wire } from "../../src/contract/shapes.js";
import type { Session } from "../../src/store/engine/engine.js";
import { withReadOnlyTransaction } from "../../src/store/engine/postgres/locked-read.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { appendField, appendFieldSql } from "../../src/store/wires/wire-json.js";
import { ENGINE } from "../harness/database.js";
import { createDatabase } from "../harness/postgres-server.js";

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
  it("has only optional fields that older wires lack", () => {
    const ofFirstVersion = new Set(
      "id sender_id recipient_id space_id sender recipient space text_body payload schema_ref reply_to thread_id reply_rule tombstone created_at".split(
        " ",
      ),
    );
    expect((Wire.required as string[]).filter((name) => !ofFirstVersion.has(name))).toEqual([]);
  });

  it("gets a last field from SQL as from TypeScript", async () => {
    const doc = JSON.stringify({ id: "1", text_body: "Grüße 😀" });
    const found = await select(appendFieldSql("w.doc", "vote_count", "3")[ENGINE], doc);
    expect(found).toEqual(JSON.parse(appendField(doc, "vote_count", "3")));
  });
});
