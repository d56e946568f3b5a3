/**
 * Analyses the texts of new wires without blocking the event loop: in steps, and for a quarter of the time.
 * Accounts take turns, so one account's texts delay another's by little more than a step.
 */
import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import { TextAnalysis } from "./analyse.js";
import { joinTerms, termsOf } from "./fts5.js";

/** A shorter text is analysed at once, because that takes less time than the rest of its request. */
const MIN_LENGTH = 1_024;
/** Maximum time before a pause. A single step may take longer. */
const MAX_TURN_MS = 1;
/** Leaves the processor and the writer to other requests when many long texts arrive. */
const PAUSE_MS = 3;

interface Waiting {
  account: string;
  analysis: TextAnalysis;
  resolve: () => void;
}

const waiting = new FairQueue<Waiting>(({ account }) => account);

/** Returns the same terms as {@link termsOf}. */
export async function analyseInTurns(account: string, text: string): Promise<string> {
  if (text.length < MIN_LENGTH) return termsOf(text);
  const analysis = new TextAnalysis(text);
  await new Promise<void>((resolve) => {
    if (waiting.size === 0) setImmediate(runTurn);
    waiting.push({ account, analysis, resolve });
  });
  return joinTerms(analysis.terms);
}

function runTurn(): void {
  const startedMs = monotonicMs();
  do {
    const next = waiting.take()!;
    if (next.analysis.run()) next.resolve();
    else waiting.putBack([next]);
  } while (waiting.size > 0 && monotonicMs() - startedMs < MAX_TURN_MS);
  if (waiting.size > 0) setTimeout(runTurn, PAUSE_MS);
}
