/**
 * Runs statements that do not wait for each other: where the engine can, they share a round trip. All of them have ended
 * when it settles, so that none runs on into what comes next; then the first failure is thrown.
 */
export async function together<Results extends readonly unknown[]>(
  statements: {
    [Index in keyof Results]: Promise<Results[Index]> | Results[Index];
  },
): Promise<Results> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
