/** A short run of the attack campaign, `npm run attacks`: ordinary agents are served while a daemon with little memory is attacked. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runCampaign } from "../../attacks/campaign.js";
import { attacks } from "../../attacks/kinds/index.js";

/** Attacks that once ended the daemon, or stopped it for seconds. */
const SLICE = ["parameters", "pipelined-behind-held", "chunks-with-key", "heavy-wires"];

/** The tests that run beside this one delay responses, too. The attacks once delayed them by 4 to 15 seconds. */
const MAX_P99_MS = 3_000;

const program = ["scripts/run-compiled.mjs", "attacks", "main"];
// Also compiles the process of the attacker.
const listed = execFileSync(process.execPath, [...program, "--list"], { encoding: "utf8" });

describe.skipIf(process.platform !== "linux")("the attack campaign", { timeout: 300_000 }, () => {
  it("finds a daemon that serves others, keeps its memory and does not end", async () => {
    const chosen = attacks.filter(({ name }) => SLICE.includes(name));
    const results = await runCampaign({ attacks: chosen, seconds: 3, maxP99Ms: MAX_P99_MS, scale: 0.01 });
    expect(results.map(({ attack }) => attack.name)).toEqual(SLICE);
    expect(
      results.flatMap(({ attack, violations }) => violations.map((each) => `${attack.name}: ${each}`)),
    ).toEqual([]);
    for (const { counts, attack } of results) expect(counts, attack.name).not.toEqual({});
  });

  it("lists its attacks", () => {
    expect(listed).toContain("pipelined-behind-held");
  });
});
