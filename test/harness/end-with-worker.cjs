/**
 * Preloaded by the daemons of tests. Ends the process soon after the test worker that started it, because a
 * worker that is killed cannot stop its daemons.
 */
const { isMainThread } = require("node:worker_threads");

const CHECK_INTERVAL_MS = 1_000;

function endWithWorker() {
  try {
    process.kill(Number(process.env.WIREROOM_TEST_WORKER), 0);
  } catch (error) {
    // EPERM: a process of another user may not signal the worker, which runs.
    if (error.code === "ESRCH") process.kill(process.pid, "SIGKILL");
  }
}

if (isMainThread) setInterval(endWithWorker, CHECK_INTERVAL_MS).unref();
