/**
 * `npm run pictures`: records `wireroom demo` in a pseudo-terminal, and takes pictures of the pages of the
 * console with sample data. Writes them to docs/pictures. It also draws the icons of the console.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installAndBuild } from "./ready.mjs";

await installAndBuild(["wireroom", "console", "tests"]);
const { drawIcons } = await import("./pictures/icons.mjs");
const { record } = await import("./pictures/screen.mjs");
const { takeConsolePictures } = await import("./pictures/console.mjs");
const { svgOf } = await import("./pictures/svg.mjs");
const { startSampleService } = await import("./pictures/sample-service.mjs");

const FOLDER = fileURLToPath(new URL("../docs/pictures/", import.meta.url));

await drawIcons();
const demo = await record(["demo"], { columns: 80, rows: 39 });
writeFileSync(`${FOLDER}demo.svg`, svgOf(demo, "wireroom demo"));
process.stdout.write("docs/pictures/demo.svg\n");

const service = await startSampleService();
try {
  await takeConsolePictures(new URL(service.base_url).origin, FOLDER);
} finally {
  await service.close();
}
