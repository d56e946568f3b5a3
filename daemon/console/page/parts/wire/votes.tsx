import type { Wire } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Button } from "../button.js";

/** The votes of a wire. The service does not tell whether the handle has voted before. */
export function Votes({ wire: { id, vote_count, tombstone }, as }: { wire: Wire; as: string }) {
  const [own, setOwn] = useState<{ voted: boolean; vote_count: number }>();
  const { wires } = agent(as);
  return (
    <>
      <span>{votesText(own?.vote_count ?? vote_count ?? 0)}</span>
      {!tombstone && (
        <Button
          kind="link"
          onClick={async () => setOwn(await (own?.voted ? wires.unvote({ id }) : wires.vote({ id })))}
        >
          {own?.voted ? "Remove the vote" : "Vote"}
        </Button>
      )}
    </>
  );
}

export function votesText(count: number): string {
  return count === 1 ? "1 vote" : `${count} votes`;
}
