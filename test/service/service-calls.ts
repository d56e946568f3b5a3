/** A service over a database of its own, whose operations a test calls without a daemon. */
import { afterAll, expect } from "vitest";
import { openDaemonStore } from "../../daemon/store.js";
import { type OperationId, operation } from "../../src/contract/index.js";
import { defaultLimits, type LimitSettings } from "../../src/contract/limits.js";
import { newId } from "../../src/kernel/ids.js";
import { contextOf, invoke } from "../../src/service/dispatch/invoke.js";
import { createService } from "../../src/service/index.js";
import { NO_LOG, type StoreLog } from "../../src/store/engine/engine.js";
import type { Body } from "../harness/daemon.js";
import { databaseFlags, databaseUrlOf, dropDatabaseOf } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

type Caller = Parameters<typeof contextOf>[1];

/** Creates a service until the end of the test file. */
export async function serviceFixture(limits: Partial<LimitSettings> = {}, log: StoreLog = NO_LOG) {
  const { path: dataDir } = new TemporaryFolder("wireroom-service-");
  await databaseFlags(dataDir, []);
  const { store, close } = await openDaemonStore(databaseUrlOf(dataDir), log);
  const service = createService({
    store,
    limits: { ...defaultLimits(), ...limits },
    baseUrl: "http://127.0.0.1:4747/v1",
    stopping: new AbortController().signal,
  });
  afterAll(async () => {
    await service.close();
    await close();
    await dropDatabaseOf(dataDir);
  });

  const invokeOperation = (caller: Caller, id: OperationId, input: Body, callStore = store) => {
    const { signal } = new AbortController();
    const ctx = contextOf({ ...service, store: callStore }, caller, newId(), signal);
    return invoke(operation(id), ctx, { input });
  };
  /** Calls an operation that succeeds. Returns the body of its response. */
  const call = async (caller: Caller, id: OperationId, input: Body, callStore = store): Promise<Body> => {
    const { error, body } = await invokeOperation(caller, id, input, callStore);
    expect(error).toBeUndefined();
    return JSON.parse(String(body));
  };
  const signUp = (name: string) =>
    service.authenticator.authenticateHuman({
      issuer: "http://issuer",
      subject: name,
      email: `${name}@example.com`,
    });
  /** Creates a handle with a key. */
  const createAgent = async (human: Caller, slug: string) => {
    const { id: handle_id } = await call(human, "handles.create", { slug });
    const { key } = await call(human, "keys.issue", { handle_id });
    return service.authenticator.authenticateAgent(key);
  };
  return { store, invokeOperation, call, signUp, createAgent };
}
