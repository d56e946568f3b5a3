import { describe, expect, it } from "vitest";
import { brokenInvariants } from "../../faults/check/invariants/index.js";
import { eraseRetired } from "../../src/service/retirement.js";
import { checkSession } from "../../src/store/check.js";
import type { HandleEvent } from "../../src/store/engine/events.js";
import type { Store } from "../../src/store/index.js";
import type { Body } from "../harness/daemon.js";
import { serviceFixture } from "./service-calls.js";

const { store, call, signUp, createAgent } = await serviceFixture({
  handles_per_account: null,
  handles_per_hour: null,
  account_factor: null,
});
const { reader } = store.engine;

const statusEvents: number[] = [];
store.engine.subscribe(["status"], (event) => {
  if (event) statusEvents.push((event as HandleEvent).handle);
});

const count = async (table: string): Promise<number> =>
  (await reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n;

/**
 * Returns a store whose steps of erasure fail from the `n`th on, and the number of rows that the steps could
 * erase.
 */
function failingAfter(n: number): Store {
  let steps = 0;
  const writeBatched: Store["engine"]["writeBatched"] = (...args) =>
    steps++ < n ? store.engine.writeBatched(...args) : Promise.reject(new Error("the daemon ends here"));
  return { ...store, engine: Object.assign(Object.create(store.engine), { writeBatched }) };
}

/** Returns the names of the invariants that do not hold. */
async function brokenNames(): Promise<string[]> {
  const { broken } = await checkSession(reader, () => undefined);
  const all = [...broken, ...(await brokenInvariants(reader))];
  // The check of the file needs a session that writes.
  return all.map(({ name }) => name).filter((name) => name !== "file");
}

// [S4.1-space-members]
it("removing handles that are not members publishes nothing for them", async () => {
  const [human, other] = [await signUp("host"), await signUp("guests")];
  const owner = await createAgent(human, "host");
  const guests = [];
  for (let n = 0; n < 20; n++) guests.push(await createAgent(other, `guest-${n}`));
  await call(owner, "spaces.create", { slug: "party", visibility: "private" });
  await call(owner, "spaces.update", { slug: "party", members: [{ handle: "guest-3", role: "reader" }] });
  statusEvents.length = 0;
  const members = guests.map(({ slug: handle }) => ({ handle, role: "remove" }));
  await call(owner, "spaces.update", { slug: "party", members });
  expect(statusEvents).toEqual([guests[3]!.pk]);
});

describe("the deletion of an account", () => {
  const HANDLES = 120;

  /** Creates an account of many handles with contacts, memberships and spaces. Returns its human. */
  async function newAccount(name: string, friend: Body) {
    const human = await signUp(name);
    for (let n = 0; n < HANDLES; n++) {
      const agent = await createAgent(human, `${name}-${n}`);
      if (n % 10 > 0) continue;
      const { id } = await call(agent, "knocks.send", { handle: friend.slug, intro: "hi" });
      await call(friend as never, "knocks.answer", { id, status: "accepted" });
      const slug = `space-of-${name}-${n}`;
      await call(agent, "spaces.create", { slug, visibility: "public" });
      if (n === 0)
        await call(agent, "spaces.update", { slug, members: [{ handle: friend.slug, role: "mod" }] });
    }
    return human;
  }

  // [D16-account-delete-steps]
  it("ends the account at once, and erases its rows in steps, even if a daemon ends between two", async () => {
    const friend = await createAgent(await signUp("friend"), "friend");
    for (const [round, steps] of [0, 3, 9].entries()) {
      const name = `gone-${round}`;
      const human = await newAccount(name, friend);
      const answer = await call(
        human,
        "account.delete",
        { email: `${name}@example.com` },
        failingAfter(steps),
      );
      expect(answer.deleted).toBe(true);
      // Nobody can address or find a handle, although rows of them are left.
      const live = await count(`handles WHERE slug LIKE '${name}-%' AND retired_at IS NULL`);
      expect(live).toBe(0);
      expect(await count("erasures")).toBeGreaterThan(0);
      expect(await brokenNames()).toEqual([]);
      await eraseRetired(store, new AbortController().signal);
      expect(await count("erasures")).toBe(0);
      const ofHandles = `handle IN (SELECT pk FROM handles WHERE slug LIKE '${name}-%')`;
      for (const table of ["members", "contacts"]) expect(await count(`${table} WHERE ${ofHandles}`)).toBe(0);
      expect(await count(`api_keys WHERE ${ofHandles} AND revoked_at IS NULL`)).toBe(0);
      expect(await call(friend, "contacts.list", {})).toMatchObject({ contacts: [] });
      const { role } = (await call(friend, "spaces.list", {})).spaces[0];
      expect(role).toBe("owner");
      expect(await brokenNames()).toEqual([]);
    }
  }, 60_000);

  it("writes in transactions of a bounded number of rows", async () => {
    const friend = await createAgent(await signUp("pal"), "pal");
    const human = await newAccount("many", friend);
    let steps = 0;
    const writeBatched: Store["engine"]["writeBatched"] = (...args) => {
      steps++;
      return store.engine.writeBatched(...args);
    };
    const counting = { ...store, engine: Object.assign(Object.create(store.engine), { writeBatched }) };
    await call(human, "account.delete", { email: "many@example.com" }, counting as Store);
    expect(await count("erasures")).toBe(0);
    // A step for each of 12 spaces, and one for at most 100 handles, for each kind of row.
    expect(steps).toBeGreaterThan(16);
  }, 30_000);
});
