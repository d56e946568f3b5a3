/** Human accounts behind a load balancer: what one daemon counts, confirms or uses up counts at the others. */
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

/** The same at all daemons in turn, at the same time. */
const everywhere = <Result>(
  count: number,
  call: (store: ReturnType<typeof identityStore>, n: number) => Promise<Result>,
) => Promise.all(Array.from({ length: count }, (_, n) => call(stores[n % stores.length]!, n)));
const count = (results: readonly unknown[], wanted: unknown) =>
  results.filter((result) => result === wanted).length;

describe("daemons that share a store", () => {
  it("share their secrets, whoever makes them [D10-embedded]", async () => {
    const secrets = await everywhere(6, (store, n) => store.secret("key", async () => `made by ${n}`, 1));
    expect(new Set(secrets).size).toBe(1);
  });

  it("let through what a throttle allows, and no more", async () => {
    const waits = await everywhere(30, (store) =>
      store.throttle("sign-in", [{ count: 5, window: 60_000 }], 1_000),
    );
    expect(count(waits, 0)).toBe(5);
  });

  it("take a code for as many tries as there are, and a right one once [D10-code-tries]", async () => {
    const signUp = { email: "a@example.com", passwordHash: "p", codeHash: "right", now: 0, expiresAt: 1_000 };
    const confirm = (codeHash: string) => (store: ReturnType<typeof identityStore>, n: number) =>
      store.confirm({ email: signUp.email, codeHash, userId: `u${n}`, maxTries: 5, now: 1 });
    await stores[0]!.holdSignUp(signUp);
    expect(count(await everywhere(9, confirm("wrong")), true)).toBe(0);
    expect(count(await everywhere(3, confirm("right")), true)).toBe(0);
    await stores[1]!.holdSignUp(signUp);
    expect(count(await everywhere(4, confirm("wrong")), true)).toBe(0);
    expect(count(await everywhere(9, confirm("right")), true)).toBe(1);
  });

  it("use up a record once", async () => {
    const record = {
      model: "AuthorizationCode",
      id: "c",
      payload: '"\0"',
      grantId: "g",
      userCode: null,
      uid: null,
    };
    await stores[0]!.saveRecord({ ...record, consumedAt: null, expiresAt: 9 });
    const used = await everywhere(9, (store) => store.consumeRecord("AuthorizationCode", "c", 5));
    expect(count(used, true)).toBe(1);
    expect((await stores[1]!.findRecord("AuthorizationCode", { id: "c" }))?.payload).toBe(record.payload);
  });
});
