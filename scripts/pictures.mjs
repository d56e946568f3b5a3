/**
 * `npm run pictures`: starts a daemon with sample data, runs the inbox and the dashboard in a
 * pseudo-terminal, and writes their screens to docs/pictures, with pictures of the pages of the console. It
 * also draws the icons of the console.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installAndBuild } from "./ready.mjs";

installAndBuild(["wireroom", "console", "tests"]);
const { drawIcons } = await import("./pictures/icons.mjs");
const { openScreen } = await import("./pictures/screen.mjs");
const { takeConsolePictures } = await import("./pictures/console.mjs");
const { svgOf } = await import("./pictures/svg.mjs");
const { startSampleService } = await import("./pictures/sample-service.mjs");

const FOLDER = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const SIZE = { columns: 118, rows: 27 };
const DOWN = "\x1b[B";

await drawIcons();
const profiles = mkdtempSync(join(tmpdir(), "wireroom-pictures-profiles-"));
const service = await startSampleService();
try {
  const env = {
    WIREROOM_URL: service.base_url,
    WIREROOM_API_KEY: service.keys.alice,
    WIREROOM_ID_TOKEN: service.tokens.ada,
    WIREROOM_CONFIG_DIR: profiles,
  };
  await picture("inbox", ["inbox", "-i"], env, async ({ press, shows }) => {
    await shows("@harbour");
    press(DOWN);
    await shows("Slot 14 at the north quay is yours");
    press("d", "y");
    await shows("2 items acknowledged");
    press(DOWN);
    await shows('"Bergen"');
  });
  await picture("dashboard", ["dashboard"], env, async ({ press, shows }) => {
    await shows("● live");
    for (const number of ["8", "7", "6", "5", "4", "3"]) {
      press(number);
      await waitForRedraw();
    }
    press("5");
    await shows("May I wait");
    await waitForRedraw();
  });
  await takeConsolePictures(new URL(service.base_url).origin, FOLDER);
} finally {
  await service.close();
  rmSync(profiles, { recursive: true, force: true });
}

/** Writes a picture of a view. @param act presses the keys that bring the view to the wanted state */
async function picture(name, args, env, act) {
  const screen = openScreen(args, { ...SIZE, env });
  try {
    await act(screen);
    await waitForRedraw();
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${name}.svg`), svgOf(screen.cells(), `wireroom ${args.join(" ")}`));
    process.stdout.write(`docs/pictures/${name}.svg\n`);
  } finally {
    screen.close();
  }
}

/** Waits long enough for the view to load and redraw. */
function waitForRedraw() {
  return new Promise((resolve) => setTimeout(resolve, 1_500));
}
