/**
 * Renders a screen as SVG. Text uses the monospaced font of the viewer. Frames are drawn as lines, so that
 * they connect with every font.
 */

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

/** Returns the SVG of a screen. @param cells rows of cells, as `screen.mjs` returns them */
export function svgOf(cells, title) {
  const width = round(cells[0].length * CELL.width + 2 * MARGIN.side);
  const height = cells.length * CELL.height + MARGIN.top + MARGIN.bottom;
  const runs = cells.flatMap((row, y) => runsOf(row, y));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>text{font:${FONT_SIZE}px ${FONTS};white-space:pre;fill:${INK}}.b{font-weight:600}.d{opacity:${FAINT}}`,
    ...COLOURS.map((colour, i) => `.c${i}{fill:${colour}}.l${i}{stroke:${colour}}`),
    `.i{fill:${PAPER}}path{fill:none;stroke:${INK};stroke-width:1.2}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${PAPER}"/>`,
    ...["#f07178", "#f2c55c", "#a5d36a"].map(
      (colour, i) => `<circle cx="${22 + i * 19}" cy="22" r="5.5" fill="${colour}"/>`,
    ),
    `<text x="${width / 2}" y="27" text-anchor="middle" class="d">${escaped(title)}</text>`,
    `<g transform="translate(${MARGIN.side} ${MARGIN.top})">`,
    ...runs.filter(({ inverse }) => inverse).map(background),
    ...lines(cells),
    ...runs.flatMap(textsOf),
    "</g></svg>\n",
  ].join("\n");
}

/**
 * Groups neighbouring cells of the same style. A wide character is a group of its own, so that it fills
 * exactly two cells.
 */
function runsOf(row, y) {
  const runs = [];
  row.forEach((cell, x) => {
    if (cell.width === 0) return;
    const text = LINES[cell.text] || cell.text === "▌" ? " " : cell.text;
    const last = runs.at(-1);
    const isSame =
      last &&
      ["colour", "bold", "dim", "inverse"].every((name) => last[name] === cell[name]) &&
      cell.width === 1;
    if (isSame && !last.isWide) {
      last.text += text;
      last.columns++;
    } else runs.push({ ...cell, text, x, y, columns: cell.width, isWide: cell.width > 1 });
  });
  return runs;
}

function background({ x, y, columns, colour, dim }) {
  const fill = colour === undefined ? INK : COLOURS[colour];
  const at = `x="${round(x * CELL.width)}" y="${y * CELL.height}"`;
  const size = `width="${round(columns * CELL.width)}" height="${CELL.height}"`;
  return `<rect ${at} ${size} fill="${fill}"${dim ? ` opacity="${FAINT}"` : ""}/>`;
}

/** Returns one text element for each word of a run, because SVG viewers collapse several spaces into one. */
function textsOf(run) {
  const classes = [
    run.bold && "b",
    run.dim && !run.inverse && "d",
    run.inverse ? "i" : run.colour !== undefined && `c${run.colour}`,
  ].filter(Boolean);
  const attribute = classes.length > 0 ? ` class="${classes.join(" ")}"` : "";
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
    const x = round((run.x + index) * CELL.width);
    const y = run.y * CELL.height + BASELINE;
    const width = round((run.isWide ? run.columns : words.length) * CELL.width);
    const fit = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${x}" y="${y}" ${fit}${attribute}>${escaped(words)}</text>`;
  });
}

/** The directions of the lines of each box-drawing character, from the centre of its cell. */
const LINES = { "─": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu", "━": "LR", "╌": "lr" };

/** Returns the frames as SVG paths, one for each style. */
function lines(cells) {
  const paths = new Map();
  const bars = [];
  cells.forEach((row, y) => {
    row.forEach(({ text, colour, dim, inverse }, x) => {
      if (text === "▌") bars.push(bar(x, y, colour));
      const ways = LINES[text];
      if (!ways || inverse) return;
      const key = `${colour ?? ""}|${dim}|${ways === "LR"}|${text === "╌"}`;
      paths.set(key, [...(paths.get(key) ?? []), [x, y, ways]]);
    });
  });
  return [...bars, ...[...paths].map(([key, strokes]) => path(key.split("|"), strokes))];
}

function bar(x, y, colour) {
  const fill = colour === undefined ? INK : COLOURS[colour];
  return `<rect x="${round(x * CELL.width)}" y="${y * CELL.height}" width="3.6" height="${CELL.height}" fill="${fill}"/>`;
}

function path([colour, dim, isHeavy, isDashed], strokes) {
  const classes = [colour !== "" && `l${colour}`, dim === "true" && "d"].filter(Boolean).join(" ");
  const parts = [];
  let open;
  for (const [x, y, ways] of strokes) {
    const isLevel = ways.toLowerCase() === "lr";
    // Extends the horizontal line of the previous cell.
    if (isLevel && open && open.y === y && open.end === x) open.end++;
    else if (isLevel) {
      open = { x, y, end: x + 1 };
      parts.push(open);
    } else parts.push(stroke(x, y, ways));
  }
  const d = parts.map((part) => (typeof part === "string" ? part : level(part))).join("");
  const style = `${isHeavy === "true" ? ' stroke-width="3"' : ""}${isDashed === "true" ? ' stroke-dasharray="4 4.4"' : ""}`;
  return `<path${classes ? ` class="${classes}"` : ""}${style} d="${d}"/>`;
}

function level({ x, y, end }) {
  return `M${round(x * CELL.width)} ${(y + 0.5) * CELL.height}H${round(end * CELL.width)}`;
}

function stroke(x, y, ways) {
  const middle = { x: round((x + 0.5) * CELL.width), y: (y + 0.5) * CELL.height };
  const top = y * CELL.height;
  if (ways === "ud") return `M${middle.x} ${top}v${CELL.height}`;
  const side = round((ways.includes("r") ? x + 1 : x) * CELL.width);
  const end = ways.includes("d") ? top + CELL.height : top;
  return `M${side} ${middle.y}Q${middle.x} ${middle.y} ${middle.x} ${end}`;
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
