import { write } from "../pipeline/handler.js";
import { changeVote } from "./change-vote.js";

export const revokeVote = write("wires.unvote", (ctx, input, tx) => changeVote(ctx, tx, input.id, false));
