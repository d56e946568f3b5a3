/**
 * Draws a chart with lines as SVG. It has no background, and its colours follow the colour scheme of the
 * viewer.
 */

const SIZE = { width: 820, height: 330 };
const PLOT = { left: 52, right: 530, top: 40, bottom: 280 };
const LINE_HEIGHT = 17;
/** Colours of lines, in light and in dark mode. */
const COLOURS = [
  ["#1a5fb4", "#78aeed"],
  ["#a1530d", "#f0a35c"],
  ["#26734d", "#6fcf97"],
  ["#8a2c80", "#e08bd6"],
  ["#b3261e", "#f28b82"],
  ["#5c5f66", "#b5b9c1"],
];

/**
 * Returns the SVG of a chart.
 * @param chart.x the places on the horizontal axis, with their labels
 * @param chart.y the ticks of the vertical axis, which ends at the first and the last tick unless values lie
 *   beyond them
 * @param chart.lines a value for each place; null where nothing was measured
 */
export function lineChart({ title, xLabel, x, y, lines }) {
  const xOf = scaleOf(x[0].at, x.at(-1).at, PLOT.left + 16, PLOT.right - 12);
  const all = [...y.ticks, ...lines.flatMap(({ values }) => values.filter((value) => value !== null))];
  const transform = y.isLogarithmic ? Math.log10 : (value) => value;
  const toY = scaleOf(transform(Math.min(...all)), transform(Math.max(...all)), PLOT.bottom, PLOT.top);
  const yOf = (value) => toY(transform(value));
  const points = lines.map(({ values }) =>
    values.flatMap((value, n) => (value === null ? [] : [[xOf(x[n].at), yOf(value)]])),
  );
  const labelYs = spread(points.map((line) => line.at(-1)[1]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${escaped(title)}">`,
    style(),
    `<text x="8" y="20" class="title">${escaped(title)}</text>`,
    ...y.ticks.flatMap((tick) => [
      `<path class="grid" d="M${PLOT.left} ${round(yOf(tick))}H${PLOT.right}"/>`,
      `<text x="${PLOT.left - 8}" y="${round(yOf(tick) + 4)}" text-anchor="end">${tick.toLocaleString("en")}</text>`,
    ]),
    ...x.map(
      ({ at, label }) =>
        `<text x="${round(xOf(at))}" y="${PLOT.bottom + 20}" text-anchor="middle">${escaped(label)}</text>`,
    ),
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 40}" text-anchor="middle">${escaped(xLabel)}</text>`,
    ...lines.flatMap((line, n) => drawLine(line, points[n], labelYs[n])),
    "</svg>\n",
  ].join("\n");
}

/** Returns the line with its points, and its name with the last value at the right. */
function drawLine({ name, values, colour, isDashed }, points, labelY) {
  const path = points.map(([px, py]) => `${round(px)} ${round(py)}`).join("L");
  const last = values.findLast((value) => value !== null).toLocaleString("en");
  const [endX, endY] = points.at(-1);
  return [
    `<path class="line l${colour}${isDashed ? " dashed" : ""}" d="M${path}"/>`,
    ...points.map(([px, py]) => `<circle class="c${colour}" cx="${round(px)}" cy="${round(py)}" r="3.5"/>`),
    `<path class="lead" d="M${round(endX + 6)} ${round(endY)}L${PLOT.right + 16} ${round(labelY)}"/>`,
    `<text class="c${colour}" x="${PLOT.right + 20}" y="${round(labelY + 4)}">${escaped(name)}: ${last}</text>`,
  ];
}

function style() {
  const rules = (mode) =>
    COLOURS.map((pair, n) => `.c${n}{fill:${pair[mode]}}.l${n}{stroke:${pair[mode]}}`).join("");
  return (
    "<style>text{font:13px system-ui,sans-serif;fill:#3a3d44}.title{font-weight:600}path{fill:none}" +
    ".grid{stroke:#80868f;opacity:.3}.lead{stroke:#80868f;opacity:.6}.line{stroke-width:2}.dashed{stroke-dasharray:5 4}" +
    `${rules(0)}@media(prefers-color-scheme:dark){text{fill:#d0d4da}${rules(1)}}</style>`
  );
}

/** Moves labels apart, from the top to the bottom, and then up again if the lowest are below the plot. */
function spread(ys) {
  const order = ys.map((_, n) => n).sort((a, b) => ys[a] - ys[b]);
  const moved = [...ys];
  order.slice(1).forEach((n, above) => {
    moved[n] = Math.max(moved[n], moved[order[above]] + LINE_HEIGHT);
  });
  order.reverse().forEach((n, below) => {
    const limit = below === 0 ? PLOT.bottom + LINE_HEIGHT : moved[order[below - 1]] - LINE_HEIGHT;
    moved[n] = Math.min(moved[n], limit);
  });
  return moved;
}

function scaleOf(from, to, start, end) {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

function round(value) {
  return Number(value.toFixed(1));
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
