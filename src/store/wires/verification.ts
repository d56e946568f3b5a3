/**
 * Verifies that stored wires are valid JSON. Responses contain this JSON unparsed, and SQLite has no
 * checksums, so a disk error could otherwise break a response.
 */
import { DAY } from "../../kernel/clock.js";
import { assertUtf8, assertValidJson, type JsonText } from "../../kernel/raw-json.js";
import type { Engine, Session, StoreLog } from "../engine/engine.js";

/** A small number, so that other reads run soon. */
const STEP = 1_000;
/** Pause between statements, in which other reads run. */
const PAUSE_MS = 5;
const INTERVAL_MS = DAY;

export class WireVerification {
  /** Whether the last verification found no damage. If false, each response is parsed before it is sent. */
  private isVerified: boolean;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly engine: Pick<Engine, "reader" | "isSoleWriter">,
    private readonly log: StoreLog,
  ) {
    this.isVerified = !engine.isSoleWriter;
  }

  start(): void {
    if (this.engine.isSoleWriter) this.schedule(0, 0, true);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Throws `DamagedJson` if a disk error in a stored wire has made the response invalid. */
  assertValid(response: JsonText): void {
    if (this.isVerified) assertUtf8(response);
    else assertValidJson(response);
  }

  private schedule(delayMs: number, after: number, isSound: boolean): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.step(after, isSound), delayMs).unref();
  }

  private async step(after: number, isSound: boolean): Promise<void> {
    try {
      const { last, damaged } = await verifyStep(this.engine.reader, after);
      if (damaged !== null) {
        this.isVerified = false;
        this.log.error({ wires: damaged }, "stored wires are not valid JSON");
      }
      const isStillSound = isSound && damaged === null;
      if (last !== null) return this.schedule(PAUSE_MS, last, isStillSound);
      this.isVerified = isStillSound;
    } catch (err) {
      this.isVerified = false;
      if (!this.isStopped) this.log.error({ err }, "the stored wires could not be verified");
    }
    this.schedule(INTERVAL_MS, 0, true);
  }
}

async function verifyStep(
  session: Session,
  after: number,
): Promise<{ last: number | null; damaged: string | null }> {
  const wires = `SELECT pk, id, doc FROM wires WHERE pk > ? ORDER BY pk LIMIT ${STEP}`;
  const row = await session.get<{ last: number | null; damaged: string | null }>(
    `SELECT max(pk) AS last, group_concat(CASE WHEN NOT json_valid(doc) THEN id END, ' ') AS damaged FROM (${wires})`,
    [after],
  );
  return row!;
}
