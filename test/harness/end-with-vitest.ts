/** Vitest's setup of a worker: ends it when the process that started it was killed. */
if (process.listenerCount("disconnect") === 0) process.once("disconnect", () => process.exit());
