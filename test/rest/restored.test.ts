/**
 * A service whose database was restored: readers have cursors of items that are gone, and other items have
 * taken their positions since.
 */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Wireroom } from "../../sdk/src/index.js";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { databaseUrlOf, ENGINE } from "../harness/database.js";
import { runInProcess } from "../harness/in-process.js";
import { dropDatabase, replaceDatabase } from "../harness/postgres-server.js";

const { daemon, alice, reader, worker } = await hostedFixture(["alice", "reader", "worker"], {
  args: ["--limit", "wires_per_minute=none"],
});
const databaseUrl = databaseUrlOf(daemon.dataDir);
const backup = ENGINE === "postgres" ? `${databaseUrl}_backup` : join(daemon.dataDir, "backup.db");
afterAll(async () => {
  if (ENGINE === "postgres") await dropDatabase(backup);
});

const run = (...args: string[]) => runInProcess(args, { env: { WIREROOM_DATA_DIR: daemon.dataDir } });
const backUp = () =>
  ENGINE === "postgres" ? daemon.restart(() => replaceDatabase(backup, databaseUrl)) : run("backup", backup);
const restoreBackup = () =>
  daemon.restart(async () => {
    if (ENGINE === "postgres") await replaceDatabase(databaseUrl, backup);
    else expect(await run("restore", backup, "--replace")).toMatchObject({ code: 0 });
  });

let root = "";

/** Sends each text to both agents, to the space, and as a reply in its thread. */
async function send(...texts: string[]): Promise<void> {
  for (const text of texts) {
    for (const { slug } of [reader, worker]) await sendWire(alice, slug, { text });
    await expectOk(alice.post("/wires", { to: "#ops", text, reply_to: root }), 201);
  }
}

const LISTS = {
  inbox: "/inbox?",
  feed: "/spaces/ops/wires?order=oldest&wait=0&",
  thread: () => `/threads/${root}?wait=0&`,
};
type List = keyof typeof LISTS;

async function read(
  list: List,
  query: Record<string, string> = {},
): Promise<{ texts: string[]; cursor: string }> {
  const path = LISTS[list];
  const page = await expectOk(
    reader.get(`${typeof path === "string" ? path : path()}${new URLSearchParams(query)}`),
  );
  return { texts: textsOf(page), cursor: page.next_cursor };
}
const textsOf = ({ wires }: Body): string[] => wires.map((wire: Body) => wire.text_body);
const readAsOwner = (query: string) => expectOk(reader.owner.get(`/handles/reader/inbox?${query}`));
const listSent = (cursor?: string) =>
  expectOk(alice.get(`/sent?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`));

/** Returns the texts that a worker of the SDK handles until none is left. */
const cursors = new Map<string, string>();
const stored = {
  get: (key: string) => cursors.get(key),
  set: (key: string, cursor: string) => void cursors.set(key, cursor),
};
async function work(agent: AgentClient): Promise<Record<"inbox" | "space", string[]>> {
  const client = new Wireroom({ apiKey: agent.key, baseUrl: daemon.base });
  const handled = { inbox: [] as string[], space: [] as string[] };
  await client.inbox.work((item) => void (item.kind === "wire" && handled.inbox.push(item.wire.text_body!)), {
    once: true,
  });
  await client.spaces.work("ops", (wire) => void handled.space.push(wire.text_body!), {
    ...{ once: true, cursors: stored, start: "beginning" },
  });
  return handled;
}

const kept = {} as Record<List, string>;
const lost = {} as Record<List, string>;
let [keptOwnerCursor, ownerCursor, sentCursor] = ["", "", ""];

beforeAll(async () => {
  await createSpace(alice, "ops");
  root = (await expectOk(alice.post("/wires", { to: "#ops", text: "root" }), 201)).id;
  await send("1", "2", "3");
  const first = await read("inbox", { limit: "1" });
  await read("inbox", { cursor: first.cursor });
  for (const list of ["inbox", "feed", "thread"] as const)
    kept[list] = (await read(list, { limit: list === "inbox" ? "2" : "3" })).cursor;
  keptOwnerCursor = (await readAsOwner("limit=1")).next_cursor;
  await work(worker);
  await backUp();

  await send("lost 1", "lost 2");
  expect(await work(worker)).toEqual({ inbox: ["lost 1", "lost 2"], space: ["lost 1", "lost 2"] });
  for (const list of ["inbox", "feed", "thread"] as const) lost[list] = (await read(list)).cursor;
  ownerCursor = (await readAsOwner("cursor=latest")).next_cursor;
  sentCursor = (await listSent()).next_cursor;
  await restoreBackup();
  await send("new 1", "new 2", "new 3");
});

const NEW = ["new 1", "new 2", "new 3"];

describe("a cursor from before a restore", () => {
  // [D5-restored]
  it("counts as none in an inbox: reading starts at the checkpoint, which it does not move", async () => {
    for (const cursor of [lost.inbox, kept.inbox])
      expect((await read("inbox", { cursor })).texts).toEqual(["2", "3", ...NEW]);
    const page = await read("inbox", { limit: "1" });
    expect(page.texts).toEqual(["2"]);
    expect((await read("inbox", { cursor: page.cursor })).texts).toEqual(["3", ...NEW]);
  });

  // [D5-restored]
  it("leads to each wire that is newer than the backup in the inbox that its owner follows", async () => {
    // The checkpoint moves to the end, because the agent acknowledges these wires before the owner reads.
    await read("inbox", { cursor: (await read("inbox")).cursor });
    const page = await readAsOwner(`cursor=${ownerCursor}`);
    expect(textsOf(page)).toEqual(NEW);
    expect(textsOf(await readAsOwner(`cursor=${keptOwnerCursor}`))).toEqual(["2", "3", ...NEW]);
    expect(textsOf(await readAsOwner(`cursor=${page.next_cursor}`))).toEqual([]);
  });

  // [D5-restored]
  it.each(["feed", "thread"] as const)(
    "leads to each wire in a %s that is newer than the backup",
    async (list) => {
      const page = await read(list, { cursor: lost[list] });
      expect(page.texts).toEqual(NEW);
      expect((await read(list, { cursor: kept[list] })).texts).toEqual(["3", ...NEW]);
      expect((await read(list, { cursor: page.cursor })).texts).toEqual([]);
    },
  );

  // [D5-restored]
  it("counts as none in a list that is not followed, and is still that list's alone", async () => {
    expect(textsOf(await listSent(sentCursor))).toEqual(["new 3"]);
    await expectRefused(alice.get(`/inbox?cursor=${lost.inbox}`), "VALIDATION_ERROR");
    await expectRefused(reader.get(`/inbox?cursor=${lost.inbox.replace(/^./, "9")}`), "VALIDATION_ERROR");
  });

  // [D5-restored]
  it("makes a worker of the SDK handle each item that is newer than the backup, and no other", async () => {
    expect(await work(worker)).toEqual({ inbox: NEW, space: NEW });
    expect(await work(worker)).toEqual({ inbox: [], space: [] });
  });

  // [D5-restored]
  it("is recognised after another restore of the same backup, too", async () => {
    const second = (await read("feed")).cursor;
    await restoreBackup();
    await send("newest 1", "newest 2");
    for (const cursor of [lost.feed, second])
      expect((await read("feed", { cursor })).texts).toEqual(["newest 1", "newest 2"]);
    expect((await read("inbox", { cursor: lost.inbox })).texts).toEqual(["2", "3", "newest 1", "newest 2"]);
  });

  // [D5-restored]
  it.runIf(ENGINE === "sqlite")("is one from before a start that finds lost commits, too", async () => {
    const file = join(daemon.dataDir, "wireroom.db");
    await daemon.restart(() => copyFile(file, `${file}.old`));
    await send("gone");
    const { cursor } = await read("feed");
    await daemon.restart(() => copyFile(`${file}.old`, file));
    await send("instead", "and more");
    expect((await read("feed", { cursor })).texts).toEqual(["instead", "and more"]);
  });

  it("does not come from a restart", async () => {
    const { cursor } = await read("feed");
    await daemon.restart();
    expect((await read("feed", { cursor })).cursor).toBe(cursor);
  });
});
