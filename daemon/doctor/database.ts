import { isoTime, now, SECOND } from "../../src/kernel/clock.js";
import {
  type DatabaseFacts,
  inspect,
  integrityProblems,
  sizeOf,
} from "../../src/service/host/maintenance.js";
import { type Check, fail, ok, reasonOf } from "./check.js";

const RESTORE = "stop the daemon, then: wireroom restore FILE (a backup); the damaged file is kept";

/** What the file is, whether it is sound, and which version wrote it. Reads all of it. */
export async function checkDatabase(file: string): Promise<{ checks: Check[]; facts?: DatabaseFacts }> {
  if ((await sizeOf(file)) === undefined)
    return { checks: [ok("database", `${file} is not there yet; the daemon makes it`)] };
  try {
    const facts = await inspect(file);
    const problems = await integrityProblems(file);
    const integrity =
      problems.length === 0
        ? ok("database", `${file} is sound (${facts.bytes + facts.walBytes} bytes)`)
        : fail("database", `${file} is damaged: ${problems.join("; ")}`, RESTORE);
    return { checks: [integrity, schemaOf(facts)], facts };
  } catch (error) {
    return { checks: [fail("database", reasonOf(error), RESTORE)] };
  }
}

function schemaOf({ schemaVersion, knownVersion, isNewer }: DatabaseFacts): Check {
  if (isNewer) {
    const message = `the schema has version ${schemaVersion}, and this Wireroom knows ${knownVersion}`;
    return fail("schema", message, "update Wireroom, or restore a backup");
  }
  if (schemaVersion < knownVersion)
    return ok("schema", `version ${schemaVersion}; the next start brings it to ${knownVersion}`);
  return ok("schema", `version ${schemaVersion}`);
}

/** Clocks may differ by that much (decisions, section 10). */
const TOLERANCE = 30 * SECOND;
const MEND = "set the clock, and let the system keep it (NTP)";

/**
 * Compares this machine's clock with what is known from elsewhere: the newest wire cannot be of the future, and the
 * identity provider says what time it is.
 * @param elsewhere milliseconds since 1970 by the provider's clock
 */
export function checkClock(facts: DatabaseFacts | undefined, elsewhere: number | undefined): Check {
  const here = now();
  const newest = facts?.newestWireAt ?? 0;
  if (newest > here + TOLERANCE) {
    const seconds = Math.round((newest - here) / SECOND);
    return fail(
      "clock",
      `the newest wire was stored ${seconds} s in the future: the clock was set back`,
      MEND,
    );
  }
  if (elsewhere !== undefined && Math.abs(elsewhere - here) > TOLERANCE) {
    const seconds = Math.round((here - elsewhere) / SECOND);
    const message = `it differs by ${seconds} s from the identity provider's: its tokens may be refused`;
    return fail("clock", message, MEND);
  }
  return ok("clock", isoTime(here));
}
