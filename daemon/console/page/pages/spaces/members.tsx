/** The members of a space, whose roles its owner and its moderators change. */
import type { SpacesMembersMember } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { navigate } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { Select, SelectField, TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { List, useList } from "../../parts/list.js";
import { TimeNote } from "../../parts/time.js";
import { showProblem } from "../../parts/toast.js";
import { type InSpace, ROLES } from "./frame.js";

type GivenRole = "mod" | "poster" | "reader";
type Roles = Partial<Record<GivenRole, string>>;

const { owner: _, mod, ...BELOW_MOD } = ROLES;

export default function Members({ as, space, role, reload }: InSpace) {
  const { slug } = space;
  const members = useList(`members ${as} ${slug}`, (signal) =>
    agent(as).spaces.members({ slug }, { signal }),
  );
  /** A moderator may assign only `poster` and `reader`. */
  const roles: Roles = role === "owner" ? { mod, ...BELOW_MOD } : role === "mod" ? BELOW_MOD : {};
  const set = async (handle: string, next: GivenRole | "remove") => {
    try {
      await agent(as).spaces.update({ slug, members: [{ handle, role: next }] });
    } finally {
      // Reload even after an error, so that the form does not keep showing a role that the service has
      // refused.
      members.reload();
      reload();
    }
  };
  return (
    <>
      <List
        of={members}
        empty={null}
        keyOf={({ handle }) => handle}
        row="row"
        render={(member) => (
          <Member
            member={member}
            as={as}
            slug={slug}
            roles={member.role === "owner" || (member.role === "mod" && role === "mod") ? {} : roles}
            set={set}
          />
        )}
      />
      {Object.keys(roles).length > 0 && <Add roles={roles} set={set} />}
    </>
  );
}

interface MemberProps {
  member: SpacesMembersMember;
  as: string;
  slug: string;
  /** Empty if the human may not change this member's role. */
  roles: Roles;
  set: (handle: string, role: GivenRole | "remove") => Promise<void>;
}

function Member({ member: { handle, role, joined_at }, as, slug, roles, set }: MemberProps) {
  const isSelf = handle === as;
  const mayChange = Object.keys(roles).length > 0;
  return (
    <>
      <HandleName slug={handle} as={as} />
      {(!mayChange || isSelf) && <span class="tag">{ROLES[role]}</span>}
      <TimeNote text="Joined" at={joined_at} />
      <span class="end row">
        {mayChange && !isSelf && (
          <>
            <Select
              aria-label={`Role of @${handle}`}
              value={role as GivenRole}
              options={roles as Record<GivenRole, string>}
              onChange={(next) => set(handle, next).catch(showProblem)}
            />
            <Button label={`Remove @${handle}`} onClick={() => set(handle, "remove")}>
              Remove
            </Button>
          </>
        )}
        {isSelf && role !== "owner" && (
          <AskingButton
            text="Leave"
            kind="plain"
            title={`Leave #${slug} as @${as}?`}
            run={async () => {
              await agent(as).spaces.update({ slug, members: [{ handle: as, role: "remove" }] });
              navigate(`/spaces?as=${as}`);
            }}
          >
            <p>Its wires stay in the space. Only a mod or the owner can add the handle again.</p>
          </AskingButton>
        )}
      </span>
    </>
  );
}

function Add({ roles, set }: { roles: Roles; set: MemberProps["set"] }) {
  const { values, field, clear } = useForm<{ handle: string; role: GivenRole }>({
    handle: "",
    role: "poster",
  });
  const handle = values.handle.trim();
  const add = async () => {
    await set(handle, values.role);
    clear();
  };
  return (
    <Form title="Add a member" action="Add" kind="plain" isReady={handle !== ""} run={add}>
      <TextField type="name" label="Handle" {...field("handle")} name="members/0/handle" />
      <SelectField
        label="Role"
        hint="A reader reads, a poster also posts, and a mod also removes wires and changes posters and readers."
        options={roles as Record<GivenRole, string>}
        {...field("role")}
      />
    </Form>
  );
}
