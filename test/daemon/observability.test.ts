/**
 * Checks the metrics, their table in docs/observability.md, and the dashboard and alerts of docs/deploy that
 * use them.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { beforeAll, describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const root = resolve(import.meta.dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, "docs", path), "utf8");
// The YAML parser of knip, which is a development dependency.
const { parse } = createRequire(join(root, "test/node_modules/knip/package.json"))("yaml");

const { daemon } = await hostedFixture([], {});

interface Metric {
  type: string;
  help: string;
  /**
   * The names of the labels of its samples, without those of buckets and quantiles. Undefined if it has no
   * samples.
   */
  labels: Set<string> | undefined;
}

let text: string;
let metrics: Map<string, Metric>;

async function readMetrics(): Promise<string> {
  return (await fetch(`${daemon.origin}/metrics`)).text();
}

/** Returns the value of a sample, or undefined. */
function sampleValue(sample: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

function parseMetrics(): Map<string, Metric> {
  const found = new Map<string, Metric>();
  for (const [, name, help] of text.matchAll(/^# HELP (\w+) (.*)$/gm)) {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, "m").exec(text)![1]!;
    const suffixes = type === "histogram" ? "(?:_bucket|_sum|_count)" : "";
    const samples = [...text.matchAll(new RegExp(`^${name}${suffixes}(?:\\{(.*)\\})? `, "gm"))];
    const names = samples.flatMap(([, labels = ""]) =>
      [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    );
    const labels = samples.length > 0 ? new Set(names.filter((label) => label !== "le")) : undefined;
    found.set(name!, { type, help: help!, labels });
  }
  return found;
}

beforeAll(async () => {
  const agent = await daemon.createAgent("seen");
  await agent.post("/wires", { to: "seen", text: "hello" });
  const { body } = await agent.get("/inbox");
  await agent.get(`/inbox?cursor=${body.next_cursor}&wait=1`);
  // The figures may be a tenth of a second old.
  do text = await readMetrics();
  while (!text.includes("wireroom_hold_duration_seconds_sum"));
  metrics = parseMetrics();
});

describe("the metrics", () => {
  // [D12-metrics]
  it("are those of the table in docs/observability.md, with these types and labels", () => {
    const rows = [
      ...textOf("observability.md").matchAll(/^\| `(wireroom_\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$/gm),
    ];
    const documented = rows.map(
      ([, name, type, labels]) => [name, type, labels!.match(/\w+/g) ?? []] as const,
    );
    const own = [...metrics].filter(([name]) => name.startsWith("wireroom_"));
    expect(documented.map(([name]) => name).sort()).toEqual(own.map(([name]) => name).sort());
    for (const [name, type, labels] of documented) {
      const real = metrics.get(name!)!;
      expect({ name, type }).toEqual({ name, type: real.type });
      if (real.labels)
        expect({ name, labels: [...labels].sort() }).toEqual({ name, labels: [...real.labels].sort() });
    }
    for (const [, , , , question] of rows) expect(question).toMatch(/\?/);
  });

  // [D12-metrics]
  it("have names, units and help texts by the conventions of Prometheus", () => {
    for (const [name, { type, help }] of metrics) {
      if (!name.startsWith("wireroom_")) continue;
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(name).not.toMatch(
        /_(ms|milliseconds|minutes|hours|kb|mb|kilobytes|megabytes|count|sum|bucket)(_|$)/,
      );
      if (/duration|wait_|lag/.test(name)) expect(name).toMatch(/_seconds$/);
      expect(help).toMatch(/^\S.*\.$/);
    }
  });

  // [D12-metrics]
  it("do not count the time for which a request was held as latency", () => {
    const labels = 'operation="inbox.read"';
    expect(sampleValue(`wireroom_hold_duration_seconds_count{${labels}}`)).toBe(1);
    expect(sampleValue(`wireroom_hold_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0.9);
    const [fast, all] = ["1", "+Inf"].map((le) =>
      sampleValue(`wireroom_request_duration_seconds_bucket{le="${le}",${labels},status_class="2xx"}`),
    );
    expect([fast, all]).toEqual([2, 2]);
    expect(sampleValue(`wireroom_request_duration_seconds_sum{${labels},status_class="2xx"}`)).toBeLessThan(
      0.9,
    );
  });

  // [D12-metrics]
  it("count what the store does", () => {
    expect(sampleValue('wireroom_store_batch_size_count{kind="write"}')).toBeGreaterThan(0);
    expect(sampleValue('wireroom_store_wait_seconds_count{kind="read"}')).toBeGreaterThan(0);
    expect(sampleValue("wireroom_store_transaction_seconds_sum")).toBeGreaterThan(0);
    expect(sampleValue('wireroom_cache_hits_total{cache="credentials"}')).toBeGreaterThan(0);
    expect(sampleValue("wireroom_store_write_failing")).toBe(0);
    // Only PostgreSQL has connections and a listener.
    expect(metrics.get("wireroom_listener_lag_seconds")!.labels).toBeUndefined();
  });
});

/**
 * Parses an expression of PromQL. Returns the metrics that it names, each with the labels that it selects or
 * groups by.
 */
function parseExpression(expression: string): { names: string[]; labels: string[] } {
  const names: string[] = [];
  const labels: string[] = [];
  const known = expression.replaceAll("$__rate_interval", "5m");
  parser.parse(known).iterate({
    enter({ type, from, to }) {
      const part = known.slice(from, to);
      expect(type.isError, `${expression}: not PromQL at ${part}`).toBe(false);
      if (type.name === "Identifier") names.push(part);
      if (type.name === "LabelName") labels.push(part);
    },
  });
  return { names, labels };
}

/** Labels that Prometheus adds to every sample, and that of buckets. */
const ADDED = ["instance", "job", "le"];

function expectKnown(expression: string): void {
  const { names, labels } = parseExpression(expression);
  expect(names.length).toBeGreaterThan(0);
  const given = new Set(ADDED);
  for (const name of names) {
    // Prometheus makes this metric itself.
    if (name === "up") continue;
    const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ""));
    expect(metric, `${name} in ${expression}`).toBeDefined();
    const row = textOf("observability.md").match(
      new RegExp(`^\\| \`${name.replace(/_(bucket|sum|count)$/, "")}\` \\| \\w+ \\| (.*?)\\|`, "m"),
    );
    for (const label of [...(metric!.labels ?? []), ...(row?.[1]?.match(/\w+/g) ?? [])]) given.add(label);
  }
  for (const label of labels) expect(given, `${label} in ${expression}`).toContain(label);
}

describe("the alerts of docs/deploy/prometheus", () => {
  const rules: Body[] = parse(textOf("deploy/prometheus/alerts.yml")).groups.flatMap(
    ({ rules }: Body) => rules,
  );

  it("name metrics and labels that exist, in valid expressions", () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const { expr } of rules) expectKnown(expr);
  });

  it("have a severity, a summary and a section of docs/troubleshooting.md", () => {
    const headings = textOf("troubleshooting.md").match(/(?<=^### )Wireroom\w+/gm);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, labels, annotations } of rules) {
      expect(["critical", "warning"]).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.runbook_url).toBe(`docs/troubleshooting.md#${alert.toLowerCase()}`);
    }
  });
});

describe("the dashboard of docs/deploy/grafana", () => {
  const dashboard: Body = JSON.parse(textOf("deploy/grafana/wireroom.json"));
  const panels: Body[] = dashboard.panels.filter(({ type }: Body) => type !== "row");

  it("names metrics and labels that exist, in valid expressions", () => {
    for (const { targets } of panels) for (const { expr } of targets) expectKnown(expr);
    const shown = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }: Body) => parseExpression(expr).names),
    );
    const names = new Set(shown.map((name: string) => name.replace(/_(bucket|sum|count)$/, "")));
    // These are in the alerts alone, or the sum of others.
    for (const name of ["wireroom_store_write_failing", "wireroom_long_polls"]) names.add(name);
    expect([...metrics.keys()].filter((name) => name.startsWith("wireroom_") && !names.has(name))).toEqual(
      [],
    );
  });

  it("has a variable for the data source, which every panel uses", () => {
    const { list } = dashboard.templating;
    expect(list[0]).toMatchObject({ name: "datasource", type: "datasource", query: "prometheus" });
    for (const { title, datasource, targets, description } of panels) {
      for (const used of [datasource, ...targets.map((target: Body) => target.datasource)])
        expect({ title, used }).toEqual({ title, used: { type: "prometheus", uid: "$" + "{datasource}" } });
      expect(description).toMatch(/\.$/);
      expect(new Set(targets.map(({ refId }: Body) => refId)).size).toBe(targets.length);
    }
  });

  it("has panels with their own ids and places", () => {
    const ids = dashboard.panels.map(({ id }: Body) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = new Set<string>();
    for (const {
      title,
      gridPos: { x, y, w, h },
    } of dashboard.panels as Body[]) {
      expect(x + w, title).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column++)
        for (let line = y; line < y + h; line++) {
          expect(taken, title).not.toContain(`${column} ${line}`);
          taken.add(`${column} ${line}`);
        }
    }
  });
});
