/**
 * `npm run charts`: draws the charts of docs/performance.md from scripts/pictures/figures.json. With the file
 * of a run of `npm run bench -- latency` or `npm run bench:growth` as an argument, takes the figures of that
 * run first.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lineChart } from "./pictures/line-chart.mjs";

const FIGURES = fileURLToPath(new URL("pictures/figures.json", import.meta.url));
const FOLDER = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
/** The names of the two sides of `latency` in a run, and their names in the chart. */
const SIDES = { Wireroom: "Wireroom", "Koa, echo": "Koa floor" };

const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
for (const file of process.argv.slice(2)) {
  const { rows } = JSON.parse(readFileSync(file, "utf8"));
  if (rows.latency) figures.latency = latencyOf(rows.latency);
  if (rows.growth) figures.growth = growthOf(rows.growth);
  writeFileSync(FIGURES, jsonOf(figures));
}
draw("latency", latencyChart(figures.latency));
draw("growth", growthChart(figures.growth));

/** Returns milliseconds by side and percentile, and the loads in per cent of the peak. */
function latencyOf(reports) {
  const loads = reports.map(({ findings }) => Number(/(\d+) %/.exec(findings[0].what)[1]));
  const ms = {};
  for (const [measured, name] of Object.entries(SIDES)) {
    for (const percentile of ["p50", "p99"]) {
      ms[`${name}, ${percentile}`] = reports.map((report) => {
        const side = report.figures.find((one) => one.name === measured);
        return Number(side[percentile].toPrecision(3));
      });
    }
  }
  return { loads, ms };
}

/**
 * Returns the CPU time of the operations of the chart at each size, as a multiple of that at the first size.
 */
function growthOf(reports) {
  const operations = Object.keys(figures.growth.cpu);
  const found = reports.filter(({ title }) => operations.includes(operationIn(title)));
  const cpu = found.map(({ title, figures: sizes }) => [
    operationIn(title),
    sizes.map((size) => Number((size.cpu / sizes[0].cpu).toPrecision(3))),
  ]);
  return { sizes: found[0].figures.map(({ name }) => name), cpu: Object.fromEntries(cpu) };
}

/** Returns JSON with each list on one line. */
function jsonOf(value) {
  const lists = /\[[^[\]]*\]/g;
  const onOneLine = (list) => list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]");
  return `${JSON.stringify(value, null, 2).replace(lists, onOneLine)}\n`;
}

function operationIn(title) {
  return title.split(", against")[0];
}

function latencyChart({ loads, ms }) {
  return {
    title: "Latency against load: milliseconds, logarithmic",
    xLabel: "arrivals, in per cent of the peak",
    x: loads.map((load) => ({ at: load, label: `${load} %` })),
    y: { isLogarithmic: true, ticks: [1, 10, 100, 1_000] },
    lines: Object.entries(ms).map(([name, values]) => ({
      name,
      values,
      colour: name.startsWith("Wireroom") ? 0 : 1,
      isDashed: name.endsWith("p50"),
    })),
  };
}

function growthChart({ sizes, cpu }) {
  return {
    title: `Cost against size: CPU time, as a multiple of that at ${sizes[0]} wires`,
    xLabel: "wires in the database",
    x: sizes.map((label, at) => ({ at, label })),
    y: { ticks: [0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4] },
    lines: Object.entries(cpu).map(([name, values], colour) => ({ name, values, colour })),
  };
}

function draw(name, chart) {
  writeFileSync(`${FOLDER}${name}.svg`, lineChart(chart));
  process.stdout.write(`docs/pictures/${name}.svg\n`);
}
