import { write } from "../pipeline/handler.js";
import { changeVote } from "./change-vote.js";

export const castVote = write("wires.vote", (ctx, input, tx) => changeVote(ctx, tx, input.id, true));
