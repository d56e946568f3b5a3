import type { SpacesMembersMember } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { navigate, type Params } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Field, NameInput } from "../../parts/field.js";
import { More, Show, useList } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showProblem } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { type InSpace, SpaceFrame } from "./frame.js";

type GivenRole = "mod" | "poster" | "reader";

export default function Members({ params }: { params: Params }) {
  return (
    <SpaceFrame slug={params.slug!} tab="members">
      {(inSpace) => <List {...inSpace} />}
    </SpaceFrame>
  );
}

function List({ as, space, role, reload }: InSpace) {
  const { slug } = space;
  const members = useList(`${as} ${slug}`, (signal) => agent(as).spaces.members({ slug }, { signal }));
  /** A mod changes posters and readers alone. */
  const roles: readonly GivenRole[] =
    role === "owner" ? ["mod", "poster", "reader"] : role === "mod" ? ["poster", "reader"] : [];
  const set = async (handle: string, next: GivenRole | "remove") => {
    await agent(as).spaces.update({ slug, members: [{ handle, role: next }] });
    members.reload();
    reload();
  };
  return (
    <>
      <Show of={members}>
        {(listed) => (
          <>
            <ul class="list">
              {listed.items.map((member) => (
                <Member
                  key={member.handle}
                  member={member}
                  as={as}
                  slug={slug}
                  roles={member.role === "owner" || (member.role === "mod" && role === "mod") ? [] : roles}
                  set={set}
                />
              ))}
            </ul>
            <More of={listed} />
          </>
        )}
      </Show>
      {roles.length > 0 && <Add roles={roles} set={set} />}
    </>
  );
}

interface MemberProps {
  member: SpacesMembersMember;
  as: string;
  slug: string;
  /** The roles that the human may give to the member; none if they may not change it. */
  roles: readonly GivenRole[];
  set: (handle: string, role: GivenRole | "remove") => Promise<void>;
}

function Member({ member: { handle, role, joined_at }, as, slug, roles, set }: MemberProps) {
  const [isLeaving, setLeaving] = useState(false);
  const isSelf = handle === as;
  return (
    <li>
      <div class="row">
        <HandleName slug={handle} as={as} />
        {(roles.length === 0 || isSelf) && <span class="tag">{texts.spaces.roles[role]}</span>}
        <span class="quiet">
          {texts.spaces.joined} <Time at={joined_at} />
        </span>
        <span class="end row">
          {roles.length > 0 && !isSelf && (
            <>
              <RoleSelect
                label={texts.spaces.roleOf(`@${handle}`)}
                role={role as GivenRole}
                roles={roles}
                onChange={(next) => set(handle, next)}
              />
              <Button label={texts.spaces.removeMember(`@${handle}`)} onClick={() => set(handle, "remove")}>
                {texts.spaces.remove}
              </Button>
            </>
          )}
          {isSelf && role !== "owner" && (
            <Button onClick={() => setLeaving(true)}>{texts.spaces.leave}</Button>
          )}
        </span>
      </div>
      {isLeaving && (
        <Confirmation
          title={texts.spaces.leaveTitle(`@${as}`, `#${slug}`)}
          action={texts.spaces.leave}
          run={async () => {
            await agent(as).spaces.update({ slug, members: [{ handle: as, role: "remove" }] });
            navigate(`/spaces?as=${as}`);
          }}
          onClose={() => setLeaving(false)}
        >
          <p>{texts.spaces.leaveText}</p>
        </Confirmation>
      )}
    </li>
  );
}

function RoleSelect({
  label,
  role,
  roles,
  onChange,
}: {
  label: string;
  role: GivenRole;
  roles: readonly GivenRole[];
  onChange: (role: GivenRole) => Promise<void>;
}) {
  return (
    <select
      aria-label={label}
      value={role}
      onChange={(event) => {
        const select = event.currentTarget;
        onChange(select.value as GivenRole).catch((error: unknown) => {
          select.value = role;
          showProblem(error);
        });
      }}
    >
      {roles.map((each) => (
        <option key={each} value={each}>
          {texts.spaces.roles[each]}
        </option>
      ))}
    </select>
  );
}

function Add({ roles, set }: { roles: readonly GivenRole[]; set: MemberProps["set"] }) {
  const [handle, setHandle] = useState("");
  const [role, setRole] = useState<GivenRole>("poster");
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.spaces.addMember}</h2>
      <Field label={texts.spaces.handle}>
        {(props) => <NameInput {...props} value={handle} onInput={setHandle} />}
      </Field>
      <Field label={texts.spaces.role} hint={texts.spaces.roleHint}>
        {(props) => (
          <select
            {...props}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as GivenRole)}
          >
            {roles.map((each) => (
              <option key={each} value={each}>
                {texts.spaces.roles[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button
        type="submit"
        disabled={handle.trim() === ""}
        onClick={async () => {
          await set(handle.trim(), role);
          setHandle("");
        }}
      >
        {texts.spaces.add}
      </Button>
    </form>
  );
}
