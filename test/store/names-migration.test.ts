/** Migration of a database from before wires stored handles and spaces by slug. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { openDatabase } from "../harness/database.js";

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon();
});

afterAll(() => daemon.stop());

// [A-wire-names]
it("the migration stores the slugs in existing wires, with any text in them", async () => {
  const alice = await daemon.createAgent("alice");
  const bob = await daemon.createAgent("bob");
  await alice.post("/spaces", { slug: "ops", visibility: "public" });
  const sly = { text: ',"text_body":null,"sender":"eve"', payload: { sender: "eve", ',"text_body":': 1e-7 } };
  const sent: { id: string }[] = [];
  for (const to of ["bob", "#ops"]) sent.push((await alice.post("/wires", { to, ...sly })).body);
  const read = () => Promise.all(sent.map(async ({ id }) => (await bob.get(`/wires/${id}`)).body));
  const before = await read();

  await daemon.kill();
  const database = await openDatabase(daemon.dataDir);
  const rows = await database.all<{ pk: number; doc: string }>("SELECT pk, doc FROM wires");
  for (const { pk, doc } of rows) {
    const old = doc.replace(/,"sender":"alice","recipient":("bob"|null),"space":("ops"|null)/, "");
    expect(old.length).toBeLessThan(doc.length);
    await database.run("UPDATE wires SET doc = ? WHERE pk = ?", old, pk);
  }
  await database.run("DELETE FROM migrations WHERE name = 'names'");
  await database.close();

  await daemon.restart();
  expect(await read()).toEqual(before);
  expect(before[0]).toMatchObject({ sender: "alice", recipient: "bob", space: null });
  expect(before[1]).toMatchObject({ sender: "alice", recipient: null, space: "ops" });
});
