/** Attacks with requests that are held: an account that holds as many as it can. */
import { afterAll, expect, it } from "vitest";
import { openDaemonStore } from "../../daemon/store.js";
import { type OperationId, operation } from "../../src/contract/index.js";
import { defaultLimits } from "../../src/contract/limits.js";
import { newId } from "../../src/kernel/ids.js";
import { contextOf, invoke } from "../../src/service/dispatch/invoke.js";
import { createService } from "../../src/service/index.js";
import type { Caller, Human } from "../../src/service/pipeline/caller.js";
import { databaseFlags, databaseUrlOf, dropDatabaseOf } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { path: dataDir } = new TemporaryFolder("wireroom-held-");
await databaseFlags(dataDir, []);
const log = { warn: () => undefined, error: () => undefined };
const { store, close } = await openDaemonStore(databaseUrlOf(dataDir), log);
const stopping = new AbortController();
const MAX_HELD = 1_000;
store.notifier.maxPerAccount = MAX_HELD;
const baseUrl = "http://127.0.0.1:4747/v1";
const service = createService({ store, limits: defaultLimits(), baseUrl, stopping: stopping.signal });
afterAll(async () => {
  await service.close();
  await close();
  await dropDatabaseOf(dataDir);
});

const humanNamed = (name: string) =>
  service.authenticator.authenticateHuman({
    issuer: "http://issuer",
    subject: name,
    email: `${name}@example.com`,
  });

const call = (caller: Caller, id: OperationId, input: Record<string, unknown>) =>
  invoke(operation(id), contextOf(service, caller, newId(), stopping.signal), { input });

/** Calls GET /approvals. Returns the error, or undefined. */
const list = async (human: Human, wait: number) => (await call(human, "approvals.list", { wait })).error;

/** Sends a wire from a new handle of the human, and waits for the reply. Returns the response. */
async function ask(human: Human) {
  const made = async (id: OperationId, input: Record<string, unknown>) =>
    JSON.parse(String((await call(human, id, input)).body));
  const { id: handle_id } = await made("handles.create", { slug: human.human });
  const { key } = await made("keys.issue", { handle_id });
  const agent = await service.authenticator.authenticateAgent(key);
  const input = { to: human.human, text: "a question", wait_for_reply: 50 };
  const { error, body } = await call(agent, "wires.send", input);
  return error ?? JSON.parse(String(body));
}

// [D2-held-per-account] [D14-ask-stored]
it("an account that holds too many requests gets 503, while others are held as ever", async () => {
  const [mallory, alice] = await Promise.all([humanNamed("mallory"), humanNamed("alice")]);
  const account = mallory.account.pk;
  const held = Array.from({ length: MAX_HELD }, (_, n) => store.notifier.subscribe({ thread: n }, account));
  expect(await list(mallory, 50)).toMatchObject({ code: "UNAVAILABLE", details: { retry_after: 1 } });
  expect(await list(mallory, 0)).toBeUndefined();
  expect(await list(alice, 1)).toBeUndefined();
  expect(await ask(mallory)).toMatchObject({ id: expect.any(String), reply: null });
  held.pop()!.stop();
  expect(await list(mallory, 1)).toBeUndefined();
  for (const subscription of held) subscription.stop();
  expect(store.notifier.size).toBe(0);
});

// [D2-held-gives-way]
it("the account that holds the most gives its oldest request up, which gets an empty page", async () => {
  const { notifier } = store;
  const [mallory, alice] = await Promise.all([humanNamed("mallory"), humanNamed("alice")]);
  expect(notifier.giveOneUp()).toBe(false);
  const ends: string[] = [];
  const responses: Promise<unknown>[] = [];
  const holdAs = async (human: Human, name: string) => {
    const held = notifier.size;
    const response = call(human, "approvals.list", { wait: 50 }).then(({ body }) => {
      ends.push(name);
      return JSON.parse(String(body));
    });
    responses.push(response);
    await expect.poll(() => notifier.size).toBe(held + 1);
  };
  await holdAs(alice, "alice");
  for (const name of ["mallory 1", "mallory 2", "mallory 3"]) await holdAs(mallory, name);
  // The last request may still read.
  for (const name of ["mallory 1", "mallory 2"]) {
    await expect.poll(() => notifier.giveOneUp()).toBe(true);
    await expect.poll(() => ends.at(-1)).toBe(name);
  }
  expect(ends).toEqual(["mallory 1", "mallory 2"]);
  await expect.poll(() => notifier.giveOneUp() || notifier.size === 0).toBe(true);
  await expect.poll(() => notifier.giveOneUp() || notifier.size === 0).toBe(true);
  for (const response of responses) expect(await response).toMatchObject({ approvals: [] });
});
