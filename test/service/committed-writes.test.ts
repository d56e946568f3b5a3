/** Writes that are committed, and reads after them that fail. */
import { afterAll, expect, it } from "vitest";
import { type OperationId, operation } from "../../src/contract/index.js";
import { defaultLimits } from "../../src/contract/limits.js";
import { newId } from "../../src/kernel/ids.js";
import { openStore } from "../../src/service/host/store.js";
import { createService } from "../../src/service/index.js";
import { contextOf, invoke } from "../../src/service/pipeline/invoke.js";
import { type Session, StoreUnavailable } from "../../src/store/engine/engine.js";
import type { Body } from "../harness/daemon.js";
import { databaseFlags, databaseUrlOf, dropDatabaseOf } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { path: dataDir } = new TemporaryFolder("wireroom-committed-");
await databaseFlags(dataDir, []);
const logged: unknown[] = [];
const log = { warn: () => undefined, error: (fields: unknown) => logged.push(fields) };
const { store, close } = await openStore(databaseUrlOf(dataDir), log);
const service = createService({
  store,
  limits: defaultLimits(),
  baseUrl: "http://127.0.0.1:4747/v1",
  stopping: new AbortController().signal,
});
afterAll(async () => {
  await service.close();
  await close();
  await dropDatabaseOf(dataDir);
});

const human = await service.authenticator.authenticateHuman({
  issuer: "http://issuer",
  subject: "alice",
  email: "alice@example.com",
});
const { id: handle_id } = await call(human, "handles.create", { slug: "alice" });
const { key } = await call(human, "keys.issue", { handle_id });
const alice = await service.authenticator.authenticateAgent(key);

/** Calls an operation. Returns the body of its response. */
async function call(
  caller: Parameters<typeof contextOf>[1],
  id: OperationId,
  input: Body,
  callStore = store,
): Promise<Body> {
  const { signal } = new AbortController();
  const ctx = contextOf({ ...service, store: callStore }, caller, newId(), signal);
  const { error, body } = await invoke(operation(id), ctx, { input });
  expect(error).toBeUndefined();
  return JSON.parse(String(body));
}

/** The store, with reads that fail outside of transactions. */
function storeThatFails(error: Error) {
  const reader = new Proxy({} as Session, {
    get() {
      throw error;
    },
  });
  return Object.create(store, {
    engine: { value: Object.create(store.engine, { reader: { value: reader } }) },
  });
}

it.each([new StoreUnavailable("the database is gone"), new Error("a defect")])(
  "are answered although the reads after them fail: %s [D2-unavailable] [D14-ask-stored]",
  async (error) => {
    const broken = storeThatFails(error);
    const wire = await call(alice, "wires.send", { to: "alice", text: "hi", wait_for_reply: 1 }, broken);
    expect(wire).toMatchObject({ id: expect.any(String), reply: null });
    expect(logged.splice(0)).toMatchObject([{ err: error }]);
    const slug = `space-${wire.id.slice(-12)}`;
    await call(alice, "spaces.create", { slug, visibility: "public" }, broken);
    expect(await call(alice, "spaces.get", { slug })).toMatchObject({ slug });
  },
);
