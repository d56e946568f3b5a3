/**
 * Human accounts behind a load balancer: every daemon sees the counts, confirmations and used codes of the
 * others.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityStore } from "../../src/store/accounts/identity.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { createDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let engines: PostgresEngine[];
let stores: ReturnType<typeof identityStore>[];

beforeAll(async () => {
  url = await createDatabase();
  engines = await Promise.all([1, 2, 3].map(() => PostgresEngine.open(url)));
  stores = engines.map(identityStore);
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await dropDatabase(url);
});

const CODES = { short: "123456", long: "1".repeat(39) };

/** Calls `work` for all daemons concurrently. */
const onEveryDaemon = <Result>(
  count: number,
  call: (store: ReturnType<typeof identityStore>, n: number) => Promise<Result>,
) => Promise.all(Array.from({ length: count }, (_, n) => call(stores[n % stores.length]!, n)));
const count = (results: readonly unknown[], wanted: unknown) =>
  results.filter((result) => result === wanted).length;

describe("daemons with a shared store", () => {
  // [D10-embedded]
  it("share their secrets, whichever daemon creates them", async () => {
    const secrets = await onEveryDaemon(6, (store, n) =>
      store.getOrCreateSecret("key", async () => `made by ${n}`, 1),
    );
    expect(new Set(secrets).size).toBe(1);
  });

  it("share the counts of a throttle", async () => {
    const waits = await onEveryDaemon(30, (store) =>
      store.throttle("sign-in", [{ count: 5, window: 60_000 }], 1_000),
    );
    expect(count(waits, 0)).toBe(5);
  });

  // [D10-code-tries]
  it("share the attempts of a code, and accept it once", async () => {
    const signUp = { purpose: "sign-up", email: "a@example.com", holder: "p", source: "10.0.0.1" };
    const throttle = { id: "code:10.0.0.1", limits: [{ count: 100, window: 1_000 }] };
    const renew = (now: number) =>
      stores[0]!
        .addRequest({ ...signUp, id: "s", now, maxOfSource: 9 })
        .then(() => stores[0]!.takeMail({ email: signUp.email, codes: CODES, codeHash: () => "right", now }));
    const confirm = (code: string, now: number) => (store: ReturnType<typeof identityStore>, n: number) =>
      store
        .confirmSignUp({ id: "s", codeHash: () => code, isShort: true, userId: `u${n}`, throttle, now })
        .then((user) => user !== undefined);
    await renew(0);
    expect(count(await onEveryDaemon(9, confirm("wrong", 1)), true)).toBe(0);
    expect(count(await onEveryDaemon(3, confirm("right", 1)), true)).toBe(0);
    await renew(600_000);
    expect(count(await onEveryDaemon(4, confirm("wrong", 600_001)), true)).toBe(0);
    expect(count(await onEveryDaemon(9, confirm("right", 600_001)), true)).toBe(1);
  });

  it("send a mail once, and space out the mails of each other", async () => {
    const request = {
      id: "r",
      purpose: "reset",
      email: "b@example.com",
      holder: "10.0.0.2",
      source: "10.0.0.2",
    };
    const take = (now: number) => (store: ReturnType<typeof identityStore>) =>
      store.takeMail({ email: request.email, codes: CODES, codeHash: () => "code", now });
    const taken = async (now: number) =>
      (await onEveryDaemon(6, take(now))).filter((mail) => mail !== undefined);
    await stores[0]!.addRequest({ ...request, now: 1_000, maxOfSource: 9 });
    const [mail, ...others] = await taken(1_000);
    expect(others).toEqual([]);
    await stores[1]!.finishMail(mail!);
    await stores[2]!.addRequest({ ...request, now: 2_000, maxOfSource: 9 });
    expect(await taken(60_999)).toEqual([]);
    expect(await taken(61_000)).toHaveLength(1);
  });

  it("use up a record once", async () => {
    const record = {
      model: "AuthorizationCode",
      id: "c",
      payload: '"\0"',
      grantId: "g",
      human: null,
      userCode: null,
      uid: null,
    };
    await stores[0]!.saveRecord({ ...record, consumedAt: null, expiresAt: 9 });
    const used = await onEveryDaemon(9, (store) => store.consumeRecord("AuthorizationCode", "c", 5));
    expect(count(used, true)).toBe(1);
    expect((await stores[1]!.findRecord("AuthorizationCode", { id: "c" }))?.payload).toBe(record.payload);
  });
});
