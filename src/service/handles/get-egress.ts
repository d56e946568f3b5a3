import { egressPolicy } from "../../store/accounts/egress.js";
import { read } from "../pipeline/handler.js";
import { policyHandle } from "./policy-handle.js";

export const getEgress = read("egress.get", async (ctx, input, session) => {
  const { pk } = await policyHandle(ctx, session, input.slug);
  return egressPolicy(session, pk);
});
