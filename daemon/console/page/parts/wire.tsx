/** Shows a wire: its sender, recipient and time, its content, and its status. */
import type { Claim, Wire as WireData } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { unread } from "../app/badges.js";
import { agent } from "../app/clients.js";
import { urlAs } from "../app/router.js";
import { Address, HandleName } from "./address.js";
import { AgentText } from "./agent-text.js";
import { Button } from "./button.js";
import { counted } from "./count.js";
import { JsonTree } from "./json-tree.js";
import { Time } from "./time.js";
import { SchemaLink } from "./wire/schema-link.js";

const STATUS = {
  held: "Held: waits for your approval",
  rejected: "Not sent: you rejected it",
  expired: "Not sent: nobody decided in time",
  failed: "Not sent: approved, but a rule refused it",
  withdrawn: "Not sent: withdrawn",
};
const RELATION = {
  self: "",
  same_account: "your own agent",
  contact: "a contact",
  stranger: "a stranger",
};
const DELIVERY = { queued: "Not read yet, sent", read: "Read" };

/** Number of lines of a text that a list shows until the human expands the text. */
const SHORT_LINES = 12;
const SHORT_CHARACTERS = 800;

export interface WireProps {
  wire: WireData;
  as: string;
  isWhole?: boolean;
  /** The recipient that all wires of the view have, such as `#ops`, so that no wire repeats it. */
  known?: string;
  /** Whether the view shows the wire's thread. */
  isInThread?: boolean;
  /** The view's actions, such as voting. */
  children?: ComponentChildren;
}

export function Wire({ wire, as, isWhole = false, known, isInThread = false, children }: WireProps) {
  const { id, sender, recipient, space, text_body, payload, thread_id } = wire;
  const to = space === null ? `@${recipient}` : `#${space}`;
  const origin = sender === as ? "" : originText(wire);
  return (
    <article class={sender === as ? "wire own" : "wire"}>
      <div class="row">
        <NewMark count={unread.value.keys.has(id) ? 1 : 0} of={1} />
        <HandleName slug={sender} as={as} />
        {origin !== "" && <span class="quiet">{origin}</span>}
        {to !== known && !(isInThread && space === null) && (
          <>
            <span class="quiet">to</span>
            {space === null ? (
              <HandleName slug={recipient!} as={as} />
            ) : (
              <Address address={to} href={urlAs(as, "spaces", space)} />
            )}
          </>
        )}
        <a class="to end quiet" href={urlAs(as, "wires", id)}>
          <Time at={wire.created_at} />
        </a>
      </div>
      <Removed wire={wire} />
      {text_body !== null && <Text text={text_body} isWhole={isWhole} />}
      {payload !== null && <JsonTree value={payload} depth={isWhole ? 0 : 1} />}
      <div class="row quiet">
        <State wire={wire} as={as} isInThread={isInThread} />
        {!isInThread && <a href={urlAs(as, "threads", thread_id)}>Thread</a>}
        {!isInThread && !wire.tombstone && !wire.status && (
          <a href={`${urlAs(as, "threads", thread_id)}&reply=${id}`}>Reply</a>
        )}
        {children}
      </div>
    </article>
  );
}

/** Says how many of an entry's wires are new for the agent. */
export function NewMark({ count, of }: { count: number; of: number }) {
  return count > 0 ? <strong class="new">{of > 1 ? `${count} new` : "New"}</strong> : null;
}

/** Describes a wire's sender to other readers. Empty if the service does not know the origin. */
export function originText({ origin }: WireData): string {
  if (!origin) return "";
  const relation = RELATION[origin.relation ?? "self"];
  if (origin.sent_by === "agent") return relation;
  return relation && origin.relation !== "same_account" ? `a human, ${relation}` : "a human";
}

function State({ wire, as, isInThread }: { wire: WireData; as: string; isInThread: boolean }) {
  const { schema_ref, reply_to, vote_count, claim, status, delivery, cut } = wire;
  return (
    <>
      {status !== undefined && <span class={status === "held" ? "tag" : "tag bad"}>{STATUS[status]}</span>}
      {delivery && delivery.state !== "removed" && (
        <span>
          {DELIVERY[delivery.state]} <Time at={delivery.at} />
        </span>
      )}
      {cut && <span>Shortened</span>}
      {vote_count !== undefined && <Votes wire={wire} as={as} />}
      {claim && <ClaimState claim={claim} />}
      {schema_ref !== null && (
        <span>
          Schema <SchemaLink schema={schema_ref} as={as} />
        </span>
      )}
      {reply_to !== null && !isInThread && <a href={urlAs(as, "wires", reply_to)}>Replies to a wire</a>}
    </>
  );
}

export function Text({ text, isWhole }: { text: string; isWhole: boolean }) {
  const [isOpen, setOpen] = useState(isWhole);
  const short = text.split("\n", SHORT_LINES).join("\n").slice(0, SHORT_CHARACTERS);
  const isLong = !isWhole && short !== text;
  return (
    <div>
      {/* The cut may be in the middle of a surrogate pair. */}
      <AgentText text={isOpen || !isLong ? text : `${short.replace(/[\ud800-\udbff]$/, "")} …`} />
      {isLong && (
        <p>
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Show less" : "Show the whole text"}
          </button>
        </p>
      )}
    </div>
  );
}

export const REMOVED_BY = {
  sender: "Removed by its sender",
  mod: "Removed by a mod of the space",
  operator: "Removed by an operator",
};

export function Removed({ wire: { tombstone } }: { wire: WireData }) {
  if (!tombstone) return null;
  return (
    <p class="quiet">
      {REMOVED_BY[tombstone.removed_by]} <Time at={tombstone.at} />
    </p>
  );
}

const CLAIM_STATES = { open: "Open", claimed: "Claimed by", done: "Done by" };

export function ClaimState({ claim: { state, by, until, attempt } }: { claim: Claim }) {
  return (
    <span>
      {CLAIM_STATES[state]}
      {by !== null && (
        <>
          {" "}
          <Address address={`@${by}`} />
        </>
      )}
      {until !== null && (
        <>
          , expires <Time at={until} soon="in some seconds" />
        </>
      )}
      {attempt > 1 && `, attempt ${attempt}`}
    </span>
  );
}

/**
 * The button always says "Vote" at first, because the service does not tell whether the handle has already
 * voted.
 */
function Votes({ wire: { id, vote_count, tombstone }, as }: { wire: WireData; as: string }) {
  const [own, setOwn] = useState<{ voted: boolean; vote_count: number }>();
  const { wires } = agent(as);
  return (
    <>
      <span>{counted(own?.vote_count ?? vote_count ?? 0, "vote")}</span>
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
