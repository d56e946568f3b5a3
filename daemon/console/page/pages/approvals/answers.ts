/** Answers of the human. Each is sent after some seconds, in which it can be undone. */
import { dashboard } from "../../app/clients.js";
import { navigate, path } from "../../app/router.js";
import { beforeSignOut, idToken, sendAnyway } from "../../app/session.js";
import { messageOf } from "../../parts/error-message.js";
import { showProblem, showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { leaving, remove } from "./store.js";

const UNDO_MS = 5_000;

export interface Answer {
  status: "approved" | "rejected";
  /** Whether the handle may send to the target without approval from now on. */
  remember?: boolean;
}

interface Batch {
  ids: readonly string[];
  answer: Answer;
  timer: ReturnType<typeof setTimeout>;
  close: () => void;
}

let batches: readonly Batch[] = [];

/** Answers approvals in five seconds, unless {@link undo} is called. */
export function decide(ids: readonly string[], answer: Answer): void {
  if (ids.length === 0) return;
  leaving.value = new Set([...leaving.value, ...ids]);
  // A page that is left sends the answer with the present token. If there is none, the answer itself will fail, and says so.
  idToken().catch(() => {});
  const batch: Batch = {
    ids,
    answer,
    timer: setTimeout(() => send(batch), UNDO_MS),
    close: showToast(texts.approvals.decided(answer.status, ids.length, answer.remember === true), {
      text: texts.undo,
      run: () => takeBack(batch),
    }),
  };
  batches = [...batches, batch];
}

/** Takes the last answer back, if it was not sent yet. */
export function undo(): void {
  const last = batches.at(-1);
  if (last) takeBack(last);
}

function takeBack(batch: Batch): void {
  end(batch);
  release(batch.ids);
  if (path.value.startsWith("/approvals/")) navigate(`/approvals/${batch.ids[0]}`, { replace: true });
}

function end(batch: Batch): void {
  clearTimeout(batch.timer);
  batch.close();
  batches = batches.filter((each) => each !== batch);
}

function release(ids: readonly string[]): void {
  leaving.value = new Set([...leaving.value].filter((id) => !ids.includes(id)));
}

/**
 * Sends the answers one after the other. One that fails is shown again, and the others go on.
 * @returns whether all of them arrived
 */
async function send(batch: Batch): Promise<boolean> {
  end(batch);
  let haveArrived = true;
  for (const id of batch.ids) {
    try {
      const { error, target } = await dashboard.approvals.answer({ id, ...batch.answer });
      remove(id);
      if (error) showProblem(new Error(texts.approvals.notSent(target, error.message)));
    } catch (error) {
      haveArrived = false;
      showNotAnswered(error);
    }
    release([id]);
  }
  return haveArrived;
}

function showNotAnswered(error: unknown): void {
  showProblem(new Error(texts.approvals.notAnswered(messageOf(error))));
}

/**
 * Sends what still can be undone when the page is left, and before the human signs out: the human has answered, and a hidden page may
 * never run again.
 */
export function sendWhenLeft(): void {
  beforeSignOut(async () => (await Promise.all(batches.map(send))).every(Boolean));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return;
    for (const batch of batches) {
      end(batch);
      for (const id of batch.ids) {
        const putBack = remove(id);
        sendAnyway(`/v1/approvals/${id}`, "PUT", batch.answer).catch((error) => {
          putBack();
          showNotAnswered(error);
        });
      }
      release(batch.ids);
    }
  });
}
