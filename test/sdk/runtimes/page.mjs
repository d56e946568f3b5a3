/** Runs the exercise in a page, and in a worker that the page starts from the same file. */
import { exercise } from "./exercise.mjs";

if (globalThis.document) Object.assign(globalThis, { exercise, exerciseInWorker });
else globalThis.onmessage = async ({ data }) => globalThis.postMessage(await exercise(data));

function exerciseInWorker(settings) {
  const worker = new Worker("/page.js", { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(settings);
  });
}
