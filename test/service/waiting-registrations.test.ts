/** Registrations of one subject, which wait for each other. */
import { expect, it } from "vitest";
import { serviceFixture } from "./service-calls.js";

const { invokeOperation, signUp, createAgent } = await serviceFixture({ schemas_per_hour: null });
const alice = await createAgent(await signUp("alice"), "alice");

const register = (json_schema: object) =>
  invokeOperation(alice, "schemas.register", { subject: "@alice/crowded", json_schema });

// [D7-work-limit]
it("count as unfinished work of the account while they wait, and fail at once if they are too large", async () => {
  let ended = 0;
  const calls = Array.from({ length: 1_100 }, () => register({}));
  for (const call of calls) void call.then(() => ended++);
  const large = await register({ enum: Array.from({ length: 60_000 }, () => []) });
  expect(large.error).toMatchObject({
    code: "VALIDATION_ERROR",
    details: { errors: [{ instancePath: "/json_schema", keyword: "size" }] },
  });
  for (const { error } of await Promise.all(calls.slice(1_024))) {
    expect(error).toMatchObject({ code: "RATE_LIMITED", details: { retry_after: 1 } });
  }
  expect(ended).toBeLessThan(500);
  expect((await calls[0]!).error).toBeUndefined();
});
