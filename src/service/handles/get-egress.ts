import { egressPolicy } from "../../store/accounts/egress.js";
import { read } from "../pipeline/handler.js";
import { ownedHandle } from "./owned-handle.js";

export const getEgress = read("egress.get", async (ctx, input, session) => {
  const { pk } = await ownedHandle(ctx, session, input.slug);
  return egressPolicy(session, pk);
});
