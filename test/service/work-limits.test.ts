import { describe, expect, it } from "vitest";
import type { WireroomError } from "../../src/contract/errors.js";
import { WorkLimits } from "../../src/service/validation/work-limits.js";

const errorOf = (work: () => void): Partial<WireroomError> | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as WireroomError;
  }
};

describe("the limits on schema work", () => {
  // [D7-work-limit]
  it("refuse an account that used a minute, until it has regained time", () => {
    const limits = new WorkLimits();
    for (let n = 0; n < 12; n++) limits.charge("mallory", 5_000);
    expect(errorOf(() => limits.add("mallory", 10))).toBeUndefined();
    limits.charge("mallory", 5_000);
    const error = errorOf(() => limits.add("mallory", 10));
    expect(error).toMatchObject({ code: "RATE_LIMITED", details: { retry_after: expect.any(Number) } });
    // 4,350 ms too much, of which 100 ms are regained each second.
    expect(error!.details!.retry_after).toBeGreaterThan(40);
    expect(error!.details!.retry_after).toBeLessThanOrEqual(44);
    expect(errorOf(() => limits.add("alice", 10))).toBeUndefined();
  });

  it("do not count short work", () => {
    const limits = new WorkLimits();
    for (let n = 0; n < 100_000; n++) limits.charge("alice", 50);
    expect(errorOf(() => limits.add("alice", 10))).toBeUndefined();
  });

  // [D7-work-limit]
  it("bound the unfinished work of an account, and of all accounts", () => {
    const limits = new WorkLimits();
    const fill = (account: string) => {
      for (let n = 0; n < 1_024; n++) limits.add(account, 10);
    };
    fill("mallory");
    expect(errorOf(() => limits.add("mallory", 10))).toMatchObject({ code: "RATE_LIMITED" });
    limits.remove("mallory", 10);
    expect(errorOf(() => limits.add("mallory", 10))).toBeUndefined();
    for (let n = 1; n < 8; n++) fill(`account ${n}`);
    // An account without unfinished work is not refused for its own work.
    expect(errorOf(() => limits.add("alice", 10))).toMatchObject({
      code: "UNAVAILABLE",
      details: { retry_after: 5 },
    });
    limits.remove("mallory", 10);
    expect(errorOf(() => limits.add("alice", 10))).toBeUndefined();
  });

  it("bound the characters of unfinished work", () => {
    const limits = new WorkLimits();
    const quarter = 8 * 1024 * 1024;
    for (let n = 0; n < 4; n++) limits.add("mallory", quarter);
    expect(errorOf(() => limits.add("mallory", 1))).toMatchObject({ code: "RATE_LIMITED" });
  });
});
