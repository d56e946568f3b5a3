import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type IdentityStore, identityStore } from "../../src/store/accounts/identity.js";
import type { ProviderRecord } from "../../src/store/accounts/identity-applications.js";
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
  human: null,
  grantId: null,
  userCode: null,
  uid: null,
  consumedAt: null,
  expiresAt: HOUR,
  ...fields,
});

describe("a secret", () => {
  it("is created once, even by two concurrent calls", async () => {
    const [first, second] = await Promise.all([
      store.getOrCreateSecret("key", async () => "one", 0),
      store.getOrCreateSecret("key", async () => "two", 0),
    ]);
    expect(second).toBe(first);
    expect(await store.getOrCreateSecret("key", async () => "three", 0)).toBe(first);
  });
});

describe("a record of the identity provider", () => {
  it("is found by id, user code and session uid, within its model", async () => {
    await store.saveRecord(record({ model: "DeviceCode", id: "d", userCode: "BCDF" }));
    await store.saveRecord(record({ model: "Session", id: "s", uid: "u" }));
    expect(await store.findRecord("DeviceCode", { userCode: "BCDF" })).toMatchObject({ id: "d" });
    expect(await store.findRecord("Session", { uid: "u" })).toMatchObject({ id: "s" });
    expect(await store.findRecord("Session", { id: "d" })).toBeUndefined();
  });

  it("is used up once, and saving it again does not change that", async () => {
    await store.saveRecord(record({}));
    const used = await Promise.all([1, 2, 3].map((now) => store.consumeRecord("RefreshToken", "r1", now)));
    expect(used.filter(Boolean)).toHaveLength(1);
    await store.saveRecord(record({ payload: '{"a":1}' }));
    expect(await store.findRecord("RefreshToken", { id: "r1" })).toMatchObject({
      payload: '{"a":1}',
      consumedAt: 1,
    });
  });

  it("is deleted with its grant", async () => {
    await store.saveRecord(record({ id: "a", grantId: "g" }));
    await store.saveRecord(record({ id: "b", grantId: "h" }));
    await store.endGrant("g", 1);
    expect(await store.findRecord("RefreshToken", { id: "a" })).toBeUndefined();
    expect(await store.findRecord("RefreshToken", { id: "b" })).toBeDefined();
  });
});

describe("an access token", () => {
  // [D16-account-delete-forgets]
  it("is not stored once its grant has ended", async () => {
    await store.saveRecord(record({ model: "Grant", id: "g" }));
    await store.saveRecord(record({ model: "AccessToken", id: "before", grantId: "g" }));
    expect(await store.findRecord("AccessToken", { id: "before" })).toBeDefined();
    await store.endGrant("g", 1);
    await store.saveRecord(record({ model: "AccessToken", id: "after", grantId: "g" }));
    expect(await store.findRecord("AccessToken", { id: "after" })).toBeUndefined();
  });
});

describe("a sign-in", () => {
  // [D16-sign-ins-end]
  it("takes no refresh token after its end, and its row is deleted when its last token has expired", async () => {
    const begin = () => store.saveRecord(record({ model: "Grant", id: "sign-in" }));
    const signIn = { human: "ada", clientId: "wireroom-cli", createdAt: 1, version: undefined };
    const add = (id: string) =>
      store.addRefreshToken({
        record: { ...record({ id }), grantId: "sign-in" },
        previousId: undefined,
        signIn: { ...signIn, id: `id of ${id}` },
        now: 1,
      });
    await begin();
    expect(await add("first")).toBe(true);
    expect(await add("second")).toBe(true);
    await store.endGrant("sign-in", 2);
    expect(await add("third")).toBe(false);
    await begin();
    expect(await add("third")).toBe(false);
    expect(await store.findRecord("RefreshToken", { id: "third" })).toBeUndefined();
    await store.purge(HOUR);
    expect(await add("third")).toBe(false);
    await begin();
    expect(await add("third")).toBe(true);
  });
});

describe("purging", () => {
  it("deletes all expired records, and keeps the others", async () => {
    await Promise.all(
      Array.from({ length: 1_100 }, (_, i) => store.saveRecord(record({ id: `old-${i}`, expiresAt: HOUR }))),
    );
    await store.saveRecord(record({ id: "young", expiresAt: HOUR + 1 }));
    await store.purge(HOUR);
    const left = await engine.reader.all<{ id: string }>("SELECT id FROM identity_records");
    expect(left).toEqual([{ id: "young" }]);
  });

  const holder = { email: "a@b.c", purpose: "sign-up", holder: "h" };
  const add = (now: number) =>
    store.addRequest({ ...holder, id: "r", source: "10.0.0.1", now, maxOfSource: 9 });
  const take = (now: number) =>
    store.takeMail({ email: holder.email, codes: { short: "1", long: "2" }, codeHash: () => "hash", now });

  it("keeps a request for one day after its last mail was requested", async () => {
    await add(0);
    await store.finishMail((await take(0))!);
    await add(HOUR);
    await store.finishMail((await take(HOUR))!);
    await store.purge(24 * HOUR);
    expect(await store.findRequest(holder)).toEqual({ id: "r" });
    await store.purge(25 * HOUR);
    expect(await store.findRequest(holder)).toBeUndefined();
  });

  it("keeps a request for 7 days while its mail waits, and for as long as the code of its mail is valid", async () => {
    await add(0);
    await store.purge(7 * 24 * HOUR - 1);
    expect(await store.findRequest(holder)).toEqual({ id: "r" });
    await store.purge(7 * 24 * HOUR);
    expect(await store.findRequest(holder)).toBeUndefined();

    await add(0);
    await store.finishMail((await take(30 * HOUR))!);
    await store.purge(30 * HOUR + HOUR / 6 - 1);
    expect(await store.findRequest(holder)).toEqual({ id: "r" });
    await store.purge(30 * HOUR + HOUR / 6);
    expect(await store.findRequest(holder)).toBeUndefined();
  });
});

describe("the requests of one source", () => {
  it("are limited in number, and the limit does not affect other sources", async () => {
    const add = (n: number, source: string) =>
      store.addRequest({
        ...{ id: `${source}-${n}`, purpose: "sign-up", email: `${n}@b.c`, holder: source, source },
        ...{ now: 0, maxOfSource: 2 },
      });
    expect(await add(1, "a")).toEqual({ id: "a-1" });
    expect(await add(2, "a")).toEqual({ id: "a-2" });
    expect(await add(3, "a")).toBe("too many");
    expect(await add(1, "a")).toEqual({ id: "a-1" });
    expect(await add(3, "b")).toEqual({ id: "b-3" });
  });
});

describe("a throttle", () => {
  const limits = [
    { count: 1, window: 10 },
    { count: 3, window: 100 },
  ];

  it("counts within sliding windows, and returns the time to wait", async () => {
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
    expect(await store.throttle("k", limits, 1_004)).toBe(6);
    expect(await store.throttle("k", limits, 1_010)).toBe(0);
    expect(await store.throttle("k", limits, 1_020)).toBe(0);
    expect(await store.throttle("k", limits, 1_040)).toBe(60);
    expect(await store.throttle("other", limits, 1_040)).toBe(0);
    expect(await store.throttle("k", limits, 1_100)).toBe(0);
  });

  it("can be read without counting, and reset", async () => {
    expect(await store.throttle("k", limits, 1_000, false)).toBe(0);
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
    expect(await store.throttle("k", limits, 1_000, false)).toBe(10);
    await store.resetThrottle("k");
    expect(await store.throttle("k", limits, 1_000)).toBe(0);
  });
});
