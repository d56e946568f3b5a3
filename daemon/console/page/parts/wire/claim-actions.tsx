/** The buttons of a claim: the handle claims a wire, and the owner or a moderator ends or reopens claims. */
import type { MemberRole, Wire } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { Button } from "../button.js";
import { showToast } from "../toast.js";

const SECONDS = 3_600;

/**
 * Tokens of the claims that this page has made, keyed by handle and wire. Claims of the agent itself have a
 * token that only the agent knows.
 */
const tokens = new Map<string, string>();

interface ClaimActionsProps {
  wire: Wire;
  as: string;
  role: MemberRole | undefined;
  onChange: () => unknown;
}

export function ClaimActions({ wire: { id, claim }, as, role, onChange }: ClaimActionsProps) {
  if (!claim) return null;
  const { wires } = agent(as);
  const key = `${as} ${id}`;
  const token = tokens.get(key);
  const manages = role === "owner" || role === "mod";
  const then = (text: string, act: () => Promise<unknown>) => async () => {
    await act();
    showToast(text);
    await onChange();
  };
  const take = async () => {
    const taken = await wires.claim({ id, seconds: SECONDS });
    if (!taken.claimed) throw new Error(`@${taken.by} was faster.`);
    tokens.set(key, taken.token!);
  };
  const isHeldHere = claim.state === "claimed" && claim.by === as && token !== undefined;
  return (
    <>
      {claim.state === "open" && <Button onClick={then("Claimed for an hour.", take)}>Claim as @{as}</Button>}
      {isHeldHere && (
        <>
          <Button kind="main" onClick={then("Finished.", () => wires.claim({ id, token, done: true }))}>
            Finish
          </Button>
          <Button onClick={then("Given back.", () => wires.unclaim({ id, token }))}>Give back</Button>
        </>
      )}
      {manages && !isHeldHere && claim.state === "claimed" && (
        <Button onClick={then("The claim has ended.", () => wires.unclaim({ id }))}>End the claim</Button>
      )}
      {manages && claim.state === "done" && (
        <Button onClick={then("Reopened.", () => wires.claim({ id, reopen: true }))}>Reopen</Button>
      )}
    </>
  );
}
