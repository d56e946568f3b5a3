/** Shows the facts about the recipient of a held wire or knock that matter for the decision. */
import type { Wire } from "@wireroom/sdk";
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { knownBy } from "../../app/known.js";
import { AgentText } from "../../parts/agent-text.js";
import { counted } from "../../parts/count.js";
import { Fact } from "../../parts/fact.js";
import { useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";

/** Maximum number of earlier wires to count. */
const MOST_COUNTED = 100;

interface Profile {
  name: string | null;
  text: string | null;
}

interface RecipientProps {
  /** Slug of the human's handle that sends. */
  handle: string;
  target: string;
}

/** One line, so that it moves nothing when it is complete. */
export function Recipient({ handle, target }: RecipientProps) {
  const slug = target.slice(1);
  const known = knownBy(handle).value;
  const before = useLoad(`sent before ${handle} ${target}`, (signal) =>
    agent(handle).sent.list({ to: target, limit: MOST_COUNTED, brief: true }, { signal }),
  );
  const relation = target.startsWith("#")
    ? "A space"
    : handles.value?.some((each) => each.slug === slug)
      ? "Your own agent"
      : known?.contacts.has(slug)
        ? "A contact"
        : known && "A stranger";
  return (
    <p class="row recipient">
      <span>{relation}</span>
      {before.data && <Before wires={before.data.wires} target={target} />}
    </p>
  );
}

export function RecipientProfile({ handle, target }: RecipientProps) {
  const slug = target.slice(1);
  const isSpace = target.startsWith("#");
  const own = isSpace ? undefined : handles.value?.find((each) => each.slug === slug);
  const found = useLoad(`recipient ${handle} ${target}`, (signal) =>
    isSpace ? spaceProfile(handle, slug, signal) : handleProfile(handle, slug, signal),
  );
  const { name, text } = (own ? { name: own.display_name, text: own.bio } : found.data) ?? {};
  return name || text ? (
    <Fact name={target}>
      {name && <AgentText text={name} />}
      {text && (
        <p class="quiet">
          <AgentText text={text} />
        </p>
      )}
    </Fact>
  ) : null;
}

function Before({ wires, target }: { wires: readonly Wire[]; target: string }) {
  const [last] = wires;
  if (!last) return <strong>Nothing was sent to {target} yet</strong>;
  const approved = wires.filter(({ origin }) => origin?.approved).length;
  const count =
    wires.length === MOST_COUNTED ? `${MOST_COUNTED} or more wires` : counted(wires.length, "wire");
  return (
    <span>
      {count} sent, {approved} of them approved by you, the last one <Time at={last.created_at} />
    </span>
  );
}

/** Returns undefined unless the handle is discoverable. */
async function handleProfile(as: string, slug: string, signal: AbortSignal): Promise<Profile | undefined> {
  const found = await agent(as).switchboard.search({ type: "handles", q: slug }, { signal });
  const handle = found.find((each) => each.type === "handle" && each.slug === slug);
  return handle?.type === "handle" ? { name: handle.display_name, text: handle.bio } : undefined;
}

async function spaceProfile(as: string, slug: string, signal: AbortSignal): Promise<Profile> {
  const { visibility, description, member_counts } = await agent(as).spaces.get({ slug }, { signal });
  const members = Object.values(member_counts).reduce((sum, count) => sum + count, 0);
  return { name: `${visibility}, ${counted(members, "member")}`, text: description };
}
