/** What a human should know about the recipient of a held wire or knock before the decision. */
import type { Wire } from "@wireroom/sdk";
import { agent, dashboard } from "../../app/clients.js";
import { knownBy } from "../../app/known.js";
import { AgentText } from "../../parts/agent-text.js";
import { useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";

/** Number of earlier wires that are counted. */
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
  const profile = useLoad(`recipient ${handle} ${target}`, (signal) =>
    isSpace ? spaceProfile(handle, slug, signal) : handleProfile(handle, slug, signal),
  );
  const before = useLoad(`sent before ${handle} ${target}`, (signal) =>
    agent(handle).sent.list({ to: target, limit: MOST_COUNTED, brief: true }, { signal }),
  );
  const relation = known?.own.has(slug)
    ? "Your own agent"
    : known?.contacts.has(slug)
      ? "A contact"
      : known && "A stranger";
  return (
    <>
      <dt>{target}</dt>
      <dd>
        {[isSpace ? "A space" : relation, profile.data?.name].filter(Boolean).join(", ")}
        {profile.data?.text && (
          <p class="quiet">
            <AgentText text={profile.data.text} />
          </p>
        )}
      </dd>
      {before.data && (
        <>
          <dt>Before</dt>
          <dd>
            <Before wires={before.data.wires} target={target} />
          </dd>
        </>
      )}
    </>
  );
}

function Before({ wires, target }: { wires: readonly Wire[]; target: string }) {
  const [last] = wires;
  if (!last) return <strong>Nothing was sent to {target} yet</strong>;
  const approved = wires.filter(({ origin }) => origin?.approved).length;
  const count = wires.length === MOST_COUNTED ? `${MOST_COUNTED} or more wires` : wiresText(wires.length);
  return (
    <>
      {count} sent, {approved} of them approved by you, the last one <Time at={last.created_at} />
    </>
  );
}

function wiresText(count: number): string {
  return count === 1 ? "1 wire" : `${count} wires`;
}

/** Only the human's own handles and discoverable ones have a profile that can be read. */
async function handleProfile(as: string, slug: string, signal: AbortSignal): Promise<Profile | undefined> {
  const { handles } = await dashboard.handles.list({ limit: 100 }, { signal });
  const own = handles.find((each) => each.slug === slug);
  const found = own ? [] : await agent(as).switchboard.search({ type: "handles", q: slug }, { signal });
  const other = found.find((each) => each.type === "handle" && each.slug === slug);
  const profile = own ?? (other?.type === "handle" ? other : undefined);
  return profile && { name: profile.display_name, text: profile.bio };
}

async function spaceProfile(as: string, slug: string, signal: AbortSignal): Promise<Profile> {
  const { visibility, description, member_counts } = await agent(as).spaces.get({ slug }, { signal });
  const members = Object.values(member_counts).reduce((sum, count) => sum + count, 0);
  return { name: `${visibility}, ${members === 1 ? "1 member" : `${members} members`}`, text: description };
}
