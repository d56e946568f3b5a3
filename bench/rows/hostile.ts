/** A schema made to take for ever, validated over and over while others post: what they notice of it. */

import { slugOf } from "../data/world.js";
import { Generator } from "../load/generator.js";
import type { RequestLoad, Sample } from "../load/requests.js";
import { figuresOf, finding, loadOf } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import type { Report } from "../measure/report.js";
import { answer, post, quotes } from "./requests.js";
import type { Row } from "./row.js";

/** Posts a second of the others: about a quarter of what the daemon can do, so that waiting is not of their own making. */
const RATE = 500;
const HOSTILE_CONNECTIONS = 2;
/** Its account has no spaces yet: the first one has all that are allowed. */
const OWNER = 10;
const SUBJECT = `@${slugOf(OWNER)}/endless`;

/** Doubles with each level, and asks what was evaluated, so that no verdict on a part can be kept. */
function endless(): object {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false };
}

async function run(lab: Lab): Promise<Report[]> {
  const server = await lab.daemon(10_000);
  await answer(server, post(OWNER, "/schemas", { subject: SUBJECT, json_schema: endless() }));
  const root_rule = { allow_text: true, accepted_schemas: [SUBJECT] };
  await answer(server, post(OWNER, "/spaces", { slug: "trap", visibility: "public", root_rule }));
  const hostileGenerator = new Generator();
  lab.atEnd(() => hostileGenerator.close());

  const { seconds, rounds } = lab.settings;
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
    calm.push(await lab.generator.run(others));
    const [seen, attack] = await Promise.all([lab.generator.run(others), hostileGenerator.run(hostile)]);
    harassed.push(seen);
    attacks.push(attack);
  }
  for (const { failures } of [...calm, ...harassed])
    if (failures > 0) throw new Error("posts of the others failed");
  return [
    {
      title: `A hostile schema, ${HOSTILE_CONNECTIONS} connections, while others post ${RATE} wires a second under a schema`,
      findings: [
        finding(
          "its own answer, p99",
          "ms",
          attacks.map(({ p99 }) => p99),
          { atMost: 300 },
        ),
        finding(
          "the others' p99",
          "×",
          harassed.map(({ p99 }, round) => p99 / calm[round]!.p99),
          { atMost: 2 },
        ),
      ],
      figures: [figuresOf("others, undisturbed", calm), figuresOf("others, meanwhile", harassed)],
    },
  ];
}

export const hostileRows: Row[] = [{ name: "hostile", run }];
