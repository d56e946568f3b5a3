/**
 * Measures how a hostile schema, whose validation never ends by itself, affects the posts of other agents.
 */

import { slugOf } from "../data/dataset.js";
import { Generator } from "../load/generator.js";
import type { RequestLoad, Sample } from "../load/requests.js";
import { loadOf, medianMetric, summarize } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { answer, post, quotes } from "./requests.js";
import type { Row } from "./row.js";

/**
 * Posts per second of the other agents: a quarter of the daemon's capacity, so that they do not delay each
 * other.
 */
const RATE = 500;
const HOSTILE_CONNECTIONS = 2;
/**
 * Number of the agent that owns the hostile space. The account of agent 0 already has the maximum number of
 * spaces.
 */
const OWNER = 10;
const SUBJECT = `@${slugOf(OWNER)}/endless`;

/**
 * Returns a schema whose cost doubles with each level. `unevaluatedProperties` prevents the caching of
 * verdicts.
 */
export function hostileSchema(): object {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false };
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const server = await bench.daemon(10_000);
  await answer(server, post(OWNER, "/schemas", { subject: SUBJECT, json_schema: hostileSchema() }));
  const root_rule = { allow_text: true, accepted_schemas: [SUBJECT] };
  await answer(server, post(OWNER, "/spaces", { slug: "trap", visibility: "public", root_rule }));
  const hostileGenerator = new Generator();
  bench.atEnd(() => hostileGenerator.close());

  const { seconds, rounds } = bench.settings;
  const common = { task: "requests" as const, ...loadOf(server), seconds: seconds * 2 };
  const others: RequestLoad = { ...common, requests: quotes(), connections: 64, rate: RATE };
  const hostile: RequestLoad = {
    ...common,
    requests: [post(1, "/wires", { to: "#trap", payload: { a: 1 } })],
    connections: HOSTILE_CONNECTIONS,
  };
  const calm: Sample[] = [];
  const harassed: Sample[] = [];
  const attacks: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    calm.push(await bench.generator.run(others));
    const [seen, attack] = await Promise.all([bench.generator.run(others), hostileGenerator.run(hostile)]);
    harassed.push(seen);
    attacks.push(attack);
  }
  for (const { failures } of [...calm, ...harassed])
    if (failures > 0) throw new Error("posts of the others failed");
  return [
    {
      title: `A hostile schema, ${HOSTILE_CONNECTIONS} connections, while others post ${RATE} wires a second under a schema`,
      findings: [
        medianMetric(
          "its own answer, p99",
          "ms",
          attacks.map(({ p99 }) => p99),
          { atMost: 300 },
        ),
        medianMetric(
          "the others' p99",
          "×",
          harassed.map(({ p99 }, round) => p99 / calm[round]!.p99),
          { atMost: 2 },
        ),
      ],
      figures: [summarize("others, undisturbed", calm), summarize("others, meanwhile", harassed)],
    },
  ];
}

export const hostileRows: Row[] = [{ name: "hostile", run }];
