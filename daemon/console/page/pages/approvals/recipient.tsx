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

/** @param handle slug of the human's handle that sends */
export function Recipient({ handle, target }: { handle: string; target: string }) {
  const slug = target.slice(1);
  const isSpace = target.startsWith("#");
  const known = knownBy(handle).value;
  const own = isSpace ? undefined : handles.value?.find((each) => each.slug === slug);
  const found = useLoad(`recipient ${handle} ${target}`, (signal) =>
    isSpace ? spaceProfile(handle, slug, signal) : handleProfile(handle, slug, signal),
  );
  const before = useLoad(`sent before ${handle} ${target}`, (signal) =>
    agent(handle).sent.list({ to: target, limit: MOST_COUNTED, brief: true }, { signal }),
  );
  const profile = own ? { name: own.display_name, text: own.bio } : found.data;
  const relation = own ? "Your own agent" : known?.contacts.has(slug) ? "A contact" : known && "A stranger";
  return (
    <>
      <Fact name={target}>
        {isSpace ? "A space" : relation}
        {profile?.name && (
          <>
            , <AgentText text={profile.name} />
          </>
        )}
        {profile?.text && (
          <p class="quiet">
            <AgentText text={profile.text} />
          </p>
        )}
      </Fact>
      {before.data && (
        <Fact name="Before">
          <Before wires={before.data.wires} target={target} />
        </Fact>
      )}
    </>
  );
}

function Before({ wires, target }: { wires: readonly Wire[]; target: string }) {
  const [last] = wires;
  if (!last) return <strong>Nothing was sent to {target} yet</strong>;
  const approved = wires.filter(({ origin }) => origin?.approved).length;
  const count =
    wires.length === MOST_COUNTED ? `${MOST_COUNTED} or more wires` : counted(wires.length, "wire");
  return (
    <>
      {count} sent, {approved} of them approved by you, the last one <Time at={last.created_at} />
    </>
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
