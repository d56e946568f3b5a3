import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../daemon/identity/throttle/fair-queue.js";
import { NetworkShares } from "../../daemon/identity/throttle/network-shares.js";
import { networksOf } from "../../src/kernel/networks.js";

const home = (n: number) => networksOf(`2001:db8:1:${(0x1000 + n).toString(16)}::/64`);

/** A queue whose jobs end one by one. */
function controlled(limits: { waiting: number; concurrency?: number; runningPerGroup?: number }) {
  const queue = new FairQueue({ concurrency: 1, runningPerGroup: 1, waitingPerSource: 9, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    refused,
    add(name: string, path: readonly string[]) {
      const work = () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      void queue.run(path, work).catch(() => refused.push(name));
    },
    /** Ends the running jobs until none is left. */
    async drain() {
      for (await nextTurn(); ends.length > 0; await nextTurn()) ends.shift()!();
    },
  };
}

describe("networksOf()", () => {
  it.each([
    ["198.51.100.7", ["198.51.100.0/24", "198.51.100.7"]],
    ["2001:db8:0:7::/64", ["2001:db8:0::/48", "2001:db8:0:0::/56", "2001:db8:0:7::/64"]],
    ["2a00:1:2:10ff::/64", ["2a00:1:2::/48", "2a00:1:2:1000::/56", "2a00:1:2:10ff::/64"]],
    ["", [""]],
  ])("returns the networks of %s from the widest", (source, networks) => {
    expect(networksOf(source)).toEqual(networks);
  });
});

describe("a fair queue", () => {
  it("gives a network of many sources no more turns than a single source", async () => {
    const queue = controlled({ waiting: 50 });
    for (let n = 0; n < 20; n++) queue.add(`home ${n}`, home(n));
    for (let n = 0; n < 3; n++) queue.add(`other ${n}`, networksOf("192.0.2.1"));
    await queue.drain();
    expect(queue.started.slice(0, 7)).toEqual([
      ...["home 0", "other 0", "home 1", "other 1", "home 2", "other 2", "home 3"],
    ]);
    expect(queue.started).toHaveLength(23);
  });

  it("that is full refuses the newest job of the largest group, and of a group within it", async () => {
    const queue = controlled({ waiting: 10 });
    for (let n = 0; n < 11; n++) queue.add(`home ${n}`, home(n % 3));
    queue.add("neighbour", networksOf("2001:db8:1:2000::/64"));
    queue.add("stranger", networksOf("192.0.2.1"));
    await queue.drain();
    expect(queue.refused).toEqual(["home 10", "home 9"]);
    expect(queue.started.indexOf("stranger")).toBe(1);
    expect(queue.started.indexOf("neighbour")).toBeLessThan(4);
  });

  it("prefers the network that had no turn to many that had one", async () => {
    const queue = controlled({ waiting: 10 });
    const add = (round: string) => {
      for (let n = 0; n < 10; n++) queue.add(`${round} ${n}`, networksOf(`192.0.${n}.1`));
    };
    add("first");
    await queue.drain();
    add("second");
    await nextTurn();
    queue.add("more", networksOf("192.0.0.1"));
    queue.add("new", networksOf("198.51.100.1"));
    await queue.drain();
    expect(queue.refused).toHaveLength(1);
    expect(queue.started.slice(10, 12)).toEqual(["second 0", "new"]);
  });

  it("refuses a newcomer only where all have one job and none had a turn", async () => {
    const queue = controlled({ waiting: 3 });
    for (let n = 0; n < 5; n++) queue.add(`${n}`, networksOf(`192.0.${n}.1`));
    await queue.drain();
    expect(queue.refused).toEqual(["4"]);
  });

  it("leaves places for others where the jobs of one network are slow", async () => {
    const queue = controlled({ waiting: 50, concurrency: 4, runningPerGroup: 2 });
    for (let n = 0; n < 8; n++) queue.add(`home ${n}`, home(n));
    queue.add("stranger", networksOf("192.0.2.1"));
    await nextTurn();
    expect(queue.started).toEqual(["home 0", "home 1", "stranger"]);
    await queue.drain();
    expect(queue.started).toHaveLength(9);
  });
});

describe("the shares of networks", () => {
  it("leave something for another, however many networks take all they may", () => {
    let clock = 0;
    const shares = new NetworkShares({ total: 1_000, windowMs: 60_000 }, () => clock);
    const takeAll = (source: string) => {
      let taken = 0;
      while (shares.take(source) === 0) taken++;
      return taken;
    };
    expect(takeAll("192.0.2.1")).toBeGreaterThan(100);
    for (let second = 0; second < 120; second++) {
      for (let n = 0; n < 100; n++) takeAll(`198.51.${n}.1`);
      clock += 1_000;
    }
    for (let n = 0; n < 100; n++) takeAll(`198.51.${n}.1`);
    for (let n = 0; n < 3; n++) expect(shares.take(`203.0.113.${n}`)).toBe(0);
    takeAll("192.0.2.1");
    clock += shares.take("192.0.2.1") + 1;
    expect(shares.take("192.0.2.1")).toBe(0);
  });

  it("of the sources of one network are together a third of all", () => {
    const shares = new NetworkShares({ total: 1_000, windowMs: 60_000 }, () => 0);
    let taken = 0;
    for (let n = 0; n < 4_096; n++) if (shares.take(`2001:db8:1:${n.toString(16)}::/64`) === 0) taken++;
    expect(taken).toBeGreaterThan(250);
    expect(taken).toBeLessThanOrEqual(334);
  });
});
