import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, makeContacts, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { readAllPages } from "../harness/pagination.js";

const SLUGS = ["owner", "mod", "other-mod", "poster", "reader", "stranger"] as const;
const { owner, mod, poster, reader, stranger } = await hostedFixture(SLUGS);
for (const heir of [mod, poster, reader, stranger]) await makeContacts(owner, heir);
let spaces = 0;

type Role = "mod" | "poster" | "reader" | "remove";

const edit = (by: AgentClient, path: string, ...members: [handle: string, role: Role][]) =>
  by.put(path, { members: members.map(([handle, role]) => ({ handle, role })) });

/** Creates a space with at least one member of each role. Returns its path. */
async function newSpace(visibility: "public" | "private" = "private"): Promise<string> {
  const slug = `members-${spaces++}`;
  await createSpace(owner, slug, { visibility, posting_rights: "members" });
  const path = `/spaces/${slug}`;
  await expectOk(
    edit(owner, path, ["mod", "mod"], ["other-mod", "mod"], ["poster", "poster"], ["reader", "reader"]),
  );
  return path;
}

/** Returns the role of each member by handle. */
async function rolesOf(path: string): Promise<Record<string, string>> {
  const { members } = await expectOk(owner.get(`${path}/members`));
  return Object.fromEntries(members.map(({ handle, role }: Body) => [handle, role]));
}

const ALL = { owner: "owner", mod: "mod", "other-mod": "mod", poster: "poster", reader: "reader" };

describe("the members of a space", () => {
  // [D8-space-members] [S2.6-member-roles]
  it("are listed with role and time, in the order of joining", async () => {
    const path = await newSpace();
    const { members, next_cursor } = await expectOk(reader.get(`${path}/members`));
    const joined_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(members).toEqual(Object.entries(ALL).map(([handle, role]) => ({ handle, role, joined_at })));
    expect(next_cursor).toBeNull();
    for (const limit of [1, 2, 5]) {
      const listed = await readAllPages(reader, `${path}/members`, "members", limit);
      expect(listed.map(({ handle }) => handle)).toEqual(Object.keys(ALL));
    }
  });

  // [D8-space-members] [S4.1-feed-private]
  it("are visible to non-members only in a public space", async () => {
    await expectRefused(stranger.get(`${await newSpace()}/members`), "NOT_FOUND");
    expect((await expectOk(stranger.get(`${await newSpace("public")}/members`))).members).toHaveLength(5);
  });

  // [S2.6-space-detail] [S4.1-space-update-detail] [S4.1-space-members]
  it("are counted by role in the response to an update", async () => {
    const path = await newSpace();
    expect((await expectOk(owner.get(path))).member_counts).toEqual({
      owner: 1,
      mod: 2,
      poster: 1,
      reader: 1,
    });
    const edited = await expectOk(edit(owner, path, ["stranger", "reader"], ["mod", "remove"]));
    expect(edited.member_counts).toEqual({ owner: 1, mod: 1, poster: 1, reader: 2 });
  });

  // [S4.1-space-members]
  it("are accepted with or without @", async () => {
    const path = await newSpace();
    await expectOk(edit(owner, path, ["@stranger", "poster"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "poster" });
    await expectOk(edit(owner, path, ["stranger", "remove"]));
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [S2.6-member-roles]
  it.each(["owner", "admin", "", null])("cannot get the role %j", async (role) => {
    const path = await newSpace();
    await expectRefused(owner.put(path, { members: [{ handle: "stranger", role }] }), "VALIDATION_ERROR");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [D8-space-members]
  it("keep their joining time when their role changes", async () => {
    const path = await newSpace();
    const before = (await expectOk(owner.get(`${path}/members`))).members;
    await expectOk(edit(owner, path, ["reader", "mod"]));
    const after = (await expectOk(owner.get(`${path}/members`))).members;
    expect(after.map((member: Body) => [member.handle, member.joined_at])).toEqual(
      before.map((member: Body) => [member.handle, member.joined_at]),
    );
  });

  // [S4.1-space-members]
  it("do not change if they already have the requested role, or if a non-member is removed", async () => {
    const path = await newSpace();
    await expectOk(edit(owner, path, ["poster", "poster"], ["stranger", "remove"]));
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [S4.1-space-members]
  it("are updated in the order of the request", async () => {
    const path = await newSpace();
    await expectOk(edit(owner, path, ["stranger", "mod"], ["stranger", "remove"], ["stranger", "reader"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "reader" });
  });

  // [S4.1-feed-private]
  it("gain or lose access to a private space at once", async () => {
    const path = await newSpace();
    const { id } = await sendWire(poster, path.replace("/spaces/", "#"));
    await expectRefused(stranger.get(`${path}/wires`), "NOT_FOUND");
    await expectOk(edit(owner, path, ["stranger", "reader"]));
    expect((await expectOk(stranger.get(`${path}/wires`))).wires).toMatchObject([{ id }]);
    await expectOk(stranger.get(`/wires/${id}`));
    await expectOk(edit(owner, path, ["stranger", "remove"]));
    await expectRefused(stranger.get(`${path}/wires`), "NOT_FOUND");
    await expectRefused(stranger.get(`/wires/${id}`), "NOT_FOUND");
  });
});

describe("the roles of a space", () => {
  // [S1-space-creator]
  it("determine who may post, according to posting_rights", async () => {
    const path = await newSpace("public");
    const to = path.replace("/spaces/", "#");
    const mayPost = async (agent: AgentClient) =>
      (await agent.post("/wires", { to, text: "hi" })).status === 201;
    const everyone = [owner, mod, poster, reader, stranger];
    const slugsAllowedToPost = async () => {
      const verdicts = await Promise.all(everyone.map(mayPost));
      return everyone.filter((_, index) => verdicts[index]).map(({ slug }) => slug);
    };
    expect(await slugsAllowedToPost()).toEqual(["owner", "mod", "poster"]);
    await expectOk(owner.put(path, { posting_rights: "mods" }));
    expect(await slugsAllowedToPost()).toEqual(["owner", "mod"]);
    await expectOk(owner.put(path, { posting_rights: "anyone" }));
    expect(await slugsAllowedToPost()).toEqual(["owner", "mod", "poster", "reader", "stranger"]);
  });
});

describe("a moderator", () => {
  // [D6-mod-members] [S4.1-space-update-mod]
  it("adds, changes and removes posters and readers", async () => {
    const path = await newSpace();
    await expectOk(edit(mod, path, ["stranger", "reader"], ["poster", "reader"], ["reader", "poster"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "reader", poster: "reader", reader: "poster" });
    await expectOk(edit(mod, path, ["stranger", "remove"], ["poster", "remove"]));
    expect(await rolesOf(path)).toEqual({ owner: "owner", mod: "mod", "other-mod": "mod", reader: "poster" });
  });

  // [D6-mod-members] [S4.1-space-update-mod]
  it.each<[string, Role]>([
    ["stranger", "mod"],
    ["poster", "mod"],
    ["other-mod", "poster"],
    ["other-mod", "remove"],
    ["mod", "poster"],
  ])("may not update @%s to %s", async (handle, role) => {
    const path = await newSpace();
    await expectRefused(edit(mod, path, [handle, role]), "FORBIDDEN");
    await expectRefused(edit(mod, path, ["stranger", "reader"], [handle, role]), "FORBIDDEN");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [S4.1-space-update-owner]
  it("is added, changed and removed by the owner", async () => {
    const path = await newSpace();
    await expectOk(edit(owner, path, ["poster", "mod"], ["mod", "reader"], ["other-mod", "remove"]));
    expect(await rolesOf(path)).toEqual({ owner: "owner", mod: "reader", poster: "mod", reader: "reader" });
    await expectRefused(edit(mod, path, ["reader", "remove"]), "FORBIDDEN");
    await expectOk(edit(poster, path, ["mod", "remove"]));
  });
});

describe("leaving a space", () => {
  // [D6-leave]
  it("is allowed for moderators, posters and readers", async () => {
    const path = await newSpace();
    for (const agent of [mod, poster, reader]) {
      await expectOk(edit(agent, path, [`@${agent.slug}`, "remove"]));
      await expectRefused(agent.get(path), "NOT_FOUND");
    }
    expect(await rolesOf(path)).toEqual({ owner: "owner", "other-mod": "mod" });
  });

  // [D6-leave]
  it("is allowed only for oneself: posters and readers cannot remove other members", async () => {
    const path = await newSpace();
    await expectRefused(edit(poster, path, ["reader", "remove"]), "FORBIDDEN");
    await expectRefused(edit(reader, path, ["reader", "remove"], ["poster", "remove"]), "FORBIDDEN");
    await expectRefused(edit(reader, path, ["reader", "poster"]), "FORBIDDEN");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [D6-leave] [D6-owner-named]
  it("is rejected for the owner: 400", async () => {
    const path = await newSpace();
    for (const by of [owner, mod]) {
      for (const role of ["remove", "mod", "poster", "reader"] as const) {
        const { errors } = await expectRefused(
          edit(by, path, ["stranger", "reader"], ["owner", role]),
          "VALIDATION_ERROR",
        );
        expect(errors[0].instancePath).toBe("/members/1/handle");
      }
    }
    // 400 comes before 404.
    const { errors } = await expectRefused(
      edit(owner, path, ["no-such-handle", "reader"], ["owner", "reader"], ["another", "reader"]),
      "VALIDATION_ERROR",
    );
    expect(errors).toMatchObject([{ instancePath: "/members/1/handle" }]);
    await expectRefused(edit(owner, path, ["stranger", "reader"], ["no-such-handle", "remove"]), "NOT_FOUND");
    expect(await rolesOf(path)).toEqual(ALL);
  });
});

describe("the owner of a space", () => {
  // [D6-transfer] [S4.1-space-transfer]
  it.each(["poster", "mod", "reader"])("transfers the space to @%s and becomes a moderator", async (heir) => {
    const path = await newSpace();
    const { id } = await expectOk(owner.get(path));
    const heirClient = { poster, mod, reader }[heir]!;
    const updated = await expectOk(owner.put(path, { transfer_owner: `@${heir}` }));
    expect(updated).toMatchObject({ id, owner_handle_id: heirClient.id, member_counts: { owner: 1 } });
    const { members } = await expectOk(heirClient.get(`${path}/members`));
    const roles = Object.fromEntries(members.map((member: Body) => [member.handle, member.role]));
    expect(roles).toEqual({ ...ALL, [heir]: "owner", owner: "mod" });
    await expectRefused(owner.put(path, { description: "still mine" }), "FORBIDDEN");
    await expectOk(heirClient.put(path, { description: "mine now" }));
    await expectOk(edit(heirClient, path, ["owner", "remove"]));
    await expectRefused(owner.get(path), "NOT_FOUND");
  });

  // [D6-transfer]
  it("stays the owner when the transfer names the owner", async () => {
    const path = await newSpace();
    expect(await expectOk(owner.put(path, { transfer_owner: "owner" }))).toMatchObject({
      owner_handle_id: owner.id,
    });
    expect(await rolesOf(path)).toEqual(ALL);
  });

  // [D6-transfer]
  it("is always a single handle, even after two concurrent transfers", async () => {
    const path = await newSpace();
    const heirs = [mod, poster, reader];
    const replies = await Promise.all(heirs.map(({ slug }) => owner.put(path, { transfer_owner: slug })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const won = heirs[replies.findIndex(({ status }) => status === 200)]!;
    const detail = await expectOk(won.get(path));
    expect(detail).toMatchObject({ owner_handle_id: won.id, member_counts: { owner: 1 } });
  });

  // [D6-transfer] [S4.1-space-transfer]
  it("cannot be changed by any other handle", async () => {
    const path = await newSpace();
    for (const agent of [mod, poster, reader]) {
      await expectRefused(agent.put(path, { transfer_owner: agent.slug }), "FORBIDDEN");
    }
    await expectRefused(owner.put(path, { transfer_owner: "no-such-handle" }), "NOT_FOUND");
    await expectRefused(owner.put(path, { transfer_owner: null }), "VALIDATION_ERROR");
    expect(await rolesOf(path)).toEqual(ALL);
  });
});
