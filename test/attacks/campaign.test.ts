/**
 * A short run of the attack campaign, `npm run attacks`: ordinary agents are served while a daemon with
 * little memory is attacked.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runCampaign } from "../../attacks/campaign.js";
import { attacks } from "../../attacks/kinds/index.js";

/** Attacks that once ended the daemon, stopped it for seconds, or let requests of others fail. */
const SLICE = ["parameters", "pipelined-behind-held"];

const program = ["scripts/run-compiled.mjs", "attacks", "main"];
// Also compiles the process of the attacker.
const listed = execFileSync(process.execPath, [...program, "--list"], { encoding: "utf8" });

describe.skipIf(process.platform !== "linux")("the attack campaign", { timeout: 300_000 }, () => {
  // How fast the others are served depends on the tests that run beside this one, so it is left to the whole
  // campaign.
  it("finds a daemon that serves others, keeps its memory and does not end", async () => {
    const chosen = attacks.filter(({ name }) => SLICE.includes(name));
    const results = await runCampaign({ attacks: chosen, seconds: 2, scale: 0.01 });
    expect(results.map(({ attack }) => attack.name)).toEqual(SLICE);
    for (const { attack, attacked, memoryMib, counts } of results) {
      // The memory of a daemon that has ended is NaN.
      expect(memoryMib, attack.name).toBeLessThan(1_024);
      expect(attacked.refused, attack.name).toBe(0);
      // Some of these attacks once stopped the daemon altogether.
      expect(attacked.requests - attacked.failed, attack.name).toBeGreaterThan(attacked.requests / 10);
      expect(counts, attack.name).not.toEqual({});
    }
  });

  it("lists its attacks", () => {
    expect(listed).toContain("pipelined-behind-held");
  });
});
