/** The human's answers to approvals. Each is sent after a few seconds, so that the human can undo it. */
import { signal } from "@preact/signals";
import { type Approval, type ApprovalsAnswerInput, WireroomError } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { navigate, path, query } from "../../app/router.js";
import { beforeSignOut, idToken, sendAnyway } from "../../app/session.js";
import { messageOf } from "../../parts/error-message.js";
import { showProblem } from "../../parts/toast.js";
import { leaving, nameOf, remove } from "./store.js";

export const UNDO_MS = 5_000;
/** Maximum number of concurrent `keepalive` requests. Chromium allows only about 256. */
const MOST_AT_ONCE = 200;

export type Answer = Omit<ApprovalsAnswerInput, "id">;

interface Batch {
  approvals: readonly Approval[];
  left: Set<string>;
  answer: Answer;
  timer: ReturnType<typeof setTimeout>;
}

/** Batches whose answers can still be undone, oldest first. */
export const batches = signal<readonly Batch[]>([]);
/**
 * The approvals that the human last answered with "always allow". Emptied when the human answers for another
 * recipient, leaves the approvals, or takes or dismisses the offer to approve what else waits.
 */
export const justAllowed = signal<readonly Approval[]>([]);
/** Ids of the approvals that the human has ticked. Undoing an answer to several ticks them again. */
export const chosen = signal<ReadonlySet<string>>(new Set());
const running = new Set<Batch>();
/** Each promise resolves to whether the daemon has received all answers of a batch. */
const deliveries = new Set<Promise<boolean>>();

/** Answers approvals after five seconds, unless {@link undo} is called before. */
export function decide(approvals: readonly Approval[], answer: Answer): void {
  if (approvals.length === 0) return;
  const ids = approvals.map(({ id }) => id);
  leaving.value = new Set([...leaving.value, ...ids]);
  // Renew the token now. If the page is closed, it can send its answers only with a token that is still
  // valid.
  idToken().catch(() => {});
  const batch: Batch = {
    approvals,
    left: new Set(ids),
    answer,
    timer: setTimeout(() => track(send(batch)), UNDO_MS),
  };
  batches.value = [...batches.value, batch];
  const allowed = new Set(justAllowed.value.map(nameOf));
  if (answer.remember) justAllowed.value = approvals;
  else if (!approvals.some((each) => allowed.has(nameOf(each)))) justAllowed.value = [];
}

export function undo(): void {
  takeBack(batches.value.slice(-1));
}

export function undoAll(): void {
  takeBack(batches.value);
}

function takeBack(all: readonly Batch[]): void {
  const [first] = all;
  if (!first) return;
  const [firstId] = first.left;
  const together: string[] = [];
  for (const batch of all) {
    end(batch);
    if (batch.approvals === justAllowed.value) justAllowed.value = [];
    release([...batch.left]);
    if (batch.left.size > 1) together.push(...batch.left);
  }
  if (together.length > 0) chosen.value = new Set([...chosen.value, ...together]);
  if (path.value.startsWith("/approvals") && !query.value.has("status"))
    navigate(together.length > 0 ? "/approvals" : `/approvals/${firstId}`, { replace: true });
}

function end(batch: Batch): void {
  clearTimeout(batch.timer);
  batches.value = batches.value.filter((each) => each !== batch);
}

function release(ids: readonly string[]): void {
  leaving.value = new Set([...leaving.value].filter((id) => !ids.includes(id)));
}

function track(delivery: Promise<boolean>): void {
  deliveries.add(delivery);
  void delivery.then(() => deliveries.delete(delivery));
}

/**
 * Sends a batch's answers one after the other. If an answer fails, its approval is shown again, and the
 * remaining answers are still sent.
 * @returns whether all answers arrived, except the answers that {@link sendAtOnce} has taken over
 */
async function send(batch: Batch): Promise<boolean> {
  end(batch);
  running.add(batch);
  let haveArrived = true;
  for (const id of batch.left) {
    const outcome = await dashboard.approvals
      .answer({ id, ...batch.answer })
      .catch((error) => error as Error);
    // If the id is missing, the page was hidden meanwhile and `sendAtOnce` has sent this answer again.
    if (!batch.left.delete(id)) continue;
    if (!(outcome instanceof Error) || isAnsweredElsewhere(outcome)) remove(id);
    else haveArrived = false;
    show(outcome);
    release([id]);
  }
  running.delete(batch);
  return haveArrived;
}

/**
 * Sends all of a batch's answers at once, in `keepalive` requests that continue after the page is closed.
 * Resends an answer whose request is still running, because the browser may abort that request. Sending an
 * answer twice is harmless.
 * @returns whether all answers arrived
 */
async function sendAtOnce(batch: Batch): Promise<boolean> {
  end(batch);
  const ids = [...batch.left].slice(0, MOST_AT_ONCE);
  for (const id of ids) batch.left.delete(id);
  const requests = ids.map(async (id) => {
    const putBack = remove(id);
    try {
      const response = await sendAnyway(`/v1/approvals/${id}`, "PUT", batch.answer);
      // Remove the approval again, because a list that was requested before the answer arrived may still
      // contain it.
      remove(id);
      show((await response.json()) as Approval);
      return true;
    } catch (error) {
      show(error as Error);
      if (isAnsweredElsewhere(error)) return true;
      putBack();
      return false;
    }
  });
  release(ids);
  if (batch.left.size > 0 && !running.has(batch)) track(send(batch));
  return (await Promise.all(requests)).every(Boolean);
}

/** Returns whether the approval was already answered elsewhere, was withdrawn, or has expired. */
function isAnsweredElsewhere(error: unknown): boolean {
  if (!(error instanceof WireroomError)) return false;
  return error.code === "NOT_FOUND" || error.errors.some(({ instancePath }) => instancePath === "/status");
}

function show(outcome: Approval | Error): void {
  if (isAnsweredElsewhere(outcome))
    showProblem(
      new Error(
        "Your answer came too late: the approval was answered elsewhere, was withdrawn or has expired.",
      ),
    );
  else if (outcome instanceof Error)
    showProblem(new Error(`The answer did not arrive, and it waits again: ${messageOf(outcome)}`));
  else if (outcome.error)
    showProblem(new Error(`It was approved, but not sent to ${outcome.target}: ${outcome.error.message}`));
}

/**
 * Sends all unsent answers before the human signs out. Also sends them when the page is hidden, because a
 * hidden page may never run again.
 */
export function sendWhenLeft(): void {
  beforeSignOut(async () => {
    for (const batch of batches.value) track(send(batch));
    let haveArrived = true;
    // Repeat this, because hiding the page during the wait starts new deliveries.
    while (deliveries.size > 0) haveArrived = (await Promise.all(deliveries)).every(Boolean) && haveArrived;
    return haveArrived;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return;
    for (const batch of [...batches.value, ...running]) track(sendAtOnce(batch));
  });
}
