/**
 * `npm run pictures`: runs the inbox and the dashboard in a pseudo-terminal, on a daemon of its own, and writes what they
 * show to docs/pictures.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeReady } from "./ready.mjs";

makeReady(["wireroom"]);
const { openScreen } = await import("./pictures/screen.mjs");
const { svgOf } = await import("./pictures/svg.mjs");
const { startWorld } = await import("./pictures/world.mjs");

const FOLDER = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const SIZE = { columns: 118, rows: 27 };
const DOWN = "\x1b[B";

const profiles = mkdtempSync(join(tmpdir(), "wireroom-pictures-profiles-"));
const world = await startWorld();
try {
  const env = {
    WIREROOM_URL: world.base_url,
    WIREROOM_API_KEY: world.keys.alice,
    WIREROOM_ID_TOKEN: world.tokens.ada,
    WIREROOM_CONFIG_DIR: profiles,
  };
  await picture("inbox", ["inbox", "-i"], env, async ({ press, shows }) => {
    await shows("@harbour");
    for (const text of ["removed by its sender, ", "Slot 14 at the north quay is yours"]) {
      press(DOWN);
      await shows(text);
    }
    press("d");
    await shows("3 items dealt with");
    press(DOWN);
    await shows('"Bergen"');
  });
  await picture("dashboard", ["dashboard"], env, async ({ press, shows }) => {
    await shows("● live");
    for (const number of ["8", "7", "6", "5", "4", "3"]) {
      press(number);
      await settled();
    }
    press("5");
    await shows("May I wait");
    await settled();
  });
} finally {
  await world.close();
  rmSync(profiles, { recursive: true, force: true });
}

/** Takes a picture of a view after `act` has brought it where it is wanted. */
async function picture(name, args, env, act) {
  const screen = openScreen(args, { ...SIZE, env });
  try {
    await act(screen);
    await settled();
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${name}.svg`), svgOf(screen.cells(), `wireroom ${args.join(" ")}`));
    process.stdout.write(`docs/pictures/${name}.svg\n`);
  } finally {
    screen.close();
  }
}

/** What a person would wait. */
function settled() {
  return new Promise((resolve) => setTimeout(resolve, 1_500));
}
