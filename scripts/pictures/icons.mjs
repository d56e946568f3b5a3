/** Draws the icons of the installed console from its SVG, for systems that take no SVG. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";

const FOLDER = fileURLToPath(new URL("../../daemon/console/page/public/", import.meta.url));
/**
 * Maskable icons (W3C). The system cuts its own shape out of the middle, so these icons have square corners
 * and a smaller sign.
 */
const FULL = { hasCorners: false, scale: 0.75 };
const ICONS = {
  "icon-192.png": { size: 192 },
  "icon-512.png": { size: 512 },
  "icon-maskable-512.png": { size: 512, ...FULL },
  "apple-touch-icon.png": { size: 180, ...FULL },
};

export async function drawIcons() {
  const svg = readFileSync(join(FOLDER, "icon.svg"), "utf8");
  const browser = await launch();
  try {
    const page = await browser.newPage();
    for (const [name, { size, hasCorners = true, scale = 1 }] of Object.entries(ICONS)) {
      const drawn = svg
        .replace("<svg ", `<svg width="${size}" height="${size}" `)
        .replace(/ rx="\d+"/, hasCorners ? "$&" : "")
        .replace("<path ", `<path transform="translate(32 32) scale(${scale}) translate(-32 -32)" `);
      await page.setViewportSize({ width: size, height: size });
      await page.setContent(`<style>body{margin:0} svg{display:block}</style>${drawn}`);
      await page.screenshot({ path: join(FOLDER, name), omitBackground: true });
      process.stdout.write(`daemon/console/page/public/${name}\n`);
    }
  } finally {
    await browser.close();
  }
}
