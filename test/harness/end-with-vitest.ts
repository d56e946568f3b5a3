/** Vitest's setup of a worker: ends the worker when the process that started it is killed. */
if (process.listenerCount("disconnect") === 0) process.once("disconnect", () => process.exit());
