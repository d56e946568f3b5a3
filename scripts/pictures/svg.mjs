/** Renders a recorded screen as an animated SVG. Text uses the monospaced font of the viewer. */

const CELL = { width: 8.4, height: 19 };
const FONT_SIZE = 14;
/** Distance of the text baseline from the top of a row. */
const BASELINE = 14;
const MARGIN = { top: 44, side: 18, bottom: 18 };
const INK = "#d7dae0";
const PAPER = "#15181e";
/** The eight terminal colours, by number. */
const COLOURS = ["#3b4048", "#f07178", "#a5d36a", "#f2c55c", "#7aa7f7", "#d38bea", "#5fc9d4", "#d7dae0"];
const FONTS =
  "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const FAINT = 0.55;
/** Rows appear once. Viewers that do not animate, or whose users want no motion, show all of them at once. */
const APPEAR =
  "@keyframes a{from{visibility:hidden}}@media (prefers-reduced-motion:no-preference){.a{animation:a 1ms step-end backwards}}";

/** @param rows cells and time of the last change of each row, as `screen.mjs` returns them */
export function svgOf(rows, title) {
  const width = round(rows[0].cells.length * CELL.width + 2 * MARGIN.side);
  const height = rows.length * CELL.height + MARGIN.top + MARGIN.bottom;
  const start = rows[0].changedAt;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>text{font:${FONT_SIZE}px ${FONTS};white-space:pre;fill:${INK}}.d{opacity:${FAINT}}`,
    ...COLOURS.map((colour, i) => `.c${i}{fill:${colour}}`),
    `${APPEAR}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${PAPER}"/>`,
    ...["#f07178", "#f2c55c", "#a5d36a"].map(
      (colour, i) => `<circle cx="${22 + i * 19}" cy="22" r="5.5" fill="${colour}"/>`,
    ),
    `<text x="${width / 2}" y="27" text-anchor="middle" class="d">${escaped(title)}</text>`,
    `<g transform="translate(${MARGIN.side} ${MARGIN.top})">`,
    ...rows.flatMap(({ cells, changedAt }, y) => {
      const texts = runsOf(cells).flatMap((run) => textsOf(run, y));
      const delay = `${round((changedAt - start) / 1_000)}s`;
      return texts.length === 0 ? [] : `<g class="a" style="animation-delay:${delay}">${texts.join("")}</g>`;
    }),
    "</g></svg>\n",
  ].join("\n");
}

/** Groups neighbouring cells of the same style. */
function runsOf(cells) {
  const runs = [];
  for (const [x, { text, colour, isDim }] of cells.entries()) {
    const last = runs.at(-1);
    if (last && last.colour === colour && last.isDim === isDim) last.text += text;
    else runs.push({ text, colour, isDim, x });
  }
  return runs;
}

/** Returns one text element for each word of a run, because SVG viewers collapse several spaces into one. */
function textsOf(run, row) {
  const classes = [run.isDim && "d", run.colour !== undefined && `c${run.colour}`].filter(Boolean).join(" ");
  const attribute = classes === "" ? "" : ` class="${classes}"`;
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
    const x = round((run.x + index) * CELL.width);
    const y = row * CELL.height + BASELINE;
    const fit = `textLength="${round(words.length * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${x}" y="${y}" ${fit}${attribute}>${escaped(words)}</text>`;
  });
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
