import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IdentityStore, ProviderRecord } from "../../daemon/identity/index.js";
import { identityStore } from "../../src/store/accounts/identity.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";

const HOUR = 60 * 60_000;

let folder: string;
let engine: SqliteEngine;
let store: IdentityStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-store-"));
  engine = await SqliteEngine.open(join(folder, "identity.db"));
  store = identityStore(engine);
});

afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

const record = (fields: Partial<ProviderRecord>): ProviderRecord => ({
  model: "RefreshToken",
  id: "r1",
  payload: "{}",
  grantId: null,
  userCode: null,
  uid: null,
  consumedAt: null,
  expiresAt: HOUR,
  ...fields,
});

describe("a secret", () => {
  it("is made once, also when two ask for it at once", async () => {
    const [first, second] = await Promise.all([
      store.secret("key", async () => "one", 0),
      store.secret("key", async () => "two", 0),
    ]);
    expect(second).toBe(first);
    expect(await store.secret("key", async () => "three", 0)).toBe(first);
  });
});

describe("a record of the provider", () => {
  it("is found by id, user code and session uid, within its model", async () => {
    await store.saveRecord(record({ model: "DeviceCode", id: "d", userCode: "BCDF" }));
    await store.saveRecord(record({ model: "Session", id: "s", uid: "u" }));
    expect(await store.findRecord("DeviceCode", { userCode: "BCDF" })).toMatchObject({ id: "d" });
    expect(await store.findRecord("Session", { uid: "u" })).toMatchObject({ id: "s" });
    expect(await store.findRecord("Session", { id: "d" })).toBeUndefined();
  });

  it("is used up once, and saving it again does not undo that", async () => {
    await store.saveRecord(record({}));
    const used = await Promise.all([1, 2, 3].map((now) => store.consumeRecord("RefreshToken", "r1", now)));
    expect(used.filter(Boolean)).toHaveLength(1);
    await store.saveRecord(record({ payload: '{"a":1}' }));
    expect(await store.findRecord("RefreshToken", { id: "r1" })).toMatchObject({
      payload: '{"a":1}',
      consumedAt: 1,
    });
  });

  it("goes with its grant", async () => {
    await store.saveRecord(record({ id: "a", grantId: "g" }));
    await store.saveRecord(record({ id: "b", grantId: "h" }));
    await store.deleteRecordsOfGrant("g");
    expect(await store.findRecord("RefreshToken", { id: "a" })).toBeUndefined();
    expect(await store.findRecord("RefreshToken", { id: "b" })).toBeDefined();
  });
});

describe("purging", () => {
  it("deletes expired records, however many, and keeps the others", async () => {
    await Promise.all(
      Array.from({ length: 1_100 }, (_, i) => store.saveRecord(record({ id: `old-${i}`, expiresAt: HOUR }))),
    );
    await store.saveRecord(record({ id: "young", expiresAt: HOUR + 1 }));
    await store.purge(HOUR);
    const left = await engine.reader.all<{ id: string }>("SELECT id FROM identity_records");
    expect(left).toEqual([{ id: "young" }]);
  });

  it("keeps a sign-up for a day after its code has expired, so that a new code can be sent", async () => {
    const signUp = { email: "a@b.c", passwordHash: "h", codeHash: "c", now: 0, expiresAt: HOUR };
    await store.holdSignUp(signUp);
    await store.purge(24 * HOUR);
    expect(await store.renewCode("a@b.c", "d", 25 * HOUR, 24 * HOUR)).toBe(true);
    await store.purge(50 * HOUR);
    expect(await store.renewCode("a@b.c", "e", 51 * HOUR, 50 * HOUR)).toBe(false);
  });
});

describe("a throttle", () => {
  const limits = [
    { count: 1, window: 10 },
    { count: 3, window: 100 },
  ];

  it("counts within sliding windows and says how long to wait", async () => {
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
    expect(await store.throttle("k", limits, 1_004)).toBe(6);
    expect(await store.throttle("k", limits, 1_010)).toBe(0);
    expect(await store.throttle("k", limits, 1_020)).toBe(0);
    expect(await store.throttle("k", limits, 1_040)).toBe(60);
    expect(await store.throttle("other", limits, 1_040)).toBe(0);
    expect(await store.throttle("k", limits, 1_100)).toBe(0);
  });

  it("only asks where it is told to, and forgets", async () => {
    expect(await store.throttle("k", limits, 1_000, false)).toBe(0);
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
    expect(await store.throttle("k", limits, 1_000, false)).toBe(10);
    await store.forgetThrottle("k");
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
  });
});
