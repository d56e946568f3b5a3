/** Checks the database for `wireroom doctor`: its integrity, its version and lost commits. */
import { isoTime, now, SECOND } from "../../src/kernel/clock.js";
import { fileSizeBytes } from "../../src/store/engine/sqlite/files.js";
import {
  type DatabaseInfo,
  findLostCommits,
  inspectDatabase,
  integrityProblems,
} from "../../src/store/engine/sqlite/inspect.js";
import { assertNotLost } from "../../src/store/engine/sqlite/marker.js";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";
import { blockedCreation } from "./folder.js";

/** Checks a SQLite file's integrity and schema version. Reads the whole file. */
export async function checkDatabase(
  file: string,
  folderFlag: string,
): Promise<{ checks: Check[]; facts?: DatabaseInfo }> {
  const restore = `wireroom restore FILE${folderFlag}`;
  const replace = `stop the daemon and restore a backup: ${restore} --replace (the damaged file is kept)`;
  try {
    await assertNotLost(file);
  } catch (error) {
    return { checks: [fail("database", reasonOf(error), `restore a backup: ${restore}`)] };
  }
  const blocked = await blockedCreation(file);
  if (blocked !== undefined)
    return {
      checks: [fail("database", blocked, "choose another --database-url, or run as the daemon's user")],
    };
  if (!(await fileSizeBytes(file)))
    return { checks: [ok("database", `${file} does not exist yet; the daemon will create it`)] };
  try {
    const facts = await inspectDatabase(file);
    const problems = await integrityProblems(file);
    const integrity =
      problems.length === 0
        ? ok("database", `${file} is intact (${facts.sizeBytes + facts.walSizeBytes} bytes)`)
        : fail("database", `${file} is damaged: ${problems.join("; ")}`, replace);
    return { checks: [integrity, ...(await lossOf(file, facts)), schemaOf(facts)], facts };
  } catch (error) {
    return { checks: [fail("database", reasonOf(error), replace)] };
  }
}

/** Warns about lost commits until the human restores a backup or deletes the marker file. */
async function lossOf(file: string, { schemaVersion, knownVersion }: DatabaseInfo): Promise<Check[]> {
  if (schemaVersion !== knownVersion) return [];
  const lost = await findLostCommits(file);
  if (lost === undefined) return [];
  return [
    warn(
      "commits",
      `${file} lacks rows that were acknowledged: ${lost}`,
      `restore a backup that has them, or accept the loss: stop the daemon and remove ${file}-id`,
    ),
  ];
}

function schemaOf({ schemaVersion, knownVersion, isNewer }: DatabaseInfo): Check {
  if (isNewer) {
    const message = `the database has schema version ${schemaVersion}; this version of Wireroom supports up to ${knownVersion}`;
    return fail("schema", message, "update Wireroom, or restore a backup");
  }
  if (schemaVersion < knownVersion)
    return ok(
      "schema",
      `version ${schemaVersion}; the next start migrates it to ${knownVersion}, and only a backup from before leads back: wireroom backup FILE`,
    );
  return ok("schema", `version ${schemaVersion}`);
}

/** Tolerated difference between clocks (docs/specification/identity.md#id-tokens). */
const TOLERANCE_MS = 30 * SECOND;
const SET_CLOCK = "set the clock, and synchronise it (NTP)";

/**
 * Compares this machine's clock with the identity provider's clock and with the newest wire's time.
 * @param providerTime the provider's time in milliseconds since 1970, or undefined if it is unknown
 */
export function checkClock(facts: DatabaseInfo | undefined, providerTime: number | undefined): Check {
  const localTime = now();
  const newest = facts?.newestWireAt ?? 0;
  if (newest > localTime + TOLERANCE_MS) {
    const seconds = Math.round((newest - localTime) / SECOND);
    return fail(
      "clock",
      `the time of the newest wire is ${seconds} s in the future: this machine's clock was set back`,
      SET_CLOCK,
    );
  }
  if (providerTime !== undefined && Math.abs(providerTime - localTime) > TOLERANCE_MS) {
    const seconds = Math.round((localTime - providerTime) / SECOND);
    const message = `this machine's clock differs by ${seconds} s from the identity provider's; ID tokens may be rejected`;
    return fail("clock", message, SET_CLOCK);
  }
  return ok("clock", isoTime(localTime));
}
