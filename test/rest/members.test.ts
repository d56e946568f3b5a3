import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { everyPage } from "../harness/pages.js";
import { createSpace, ok, refused, send } from "../harness/talk.js";

const SLUGS = ["owner", "mod", "other-mod", "poster", "reader", "stranger"] as const;
const { owner, mod, poster, reader, stranger } = await fileDaemon(SLUGS);
let spaces = 0;

type Role = "mod" | "poster" | "reader" | "remove";

const edit = (by: AgentClient, path: string, ...members: [handle: string, role: Role][]) =>
  by.put(path, { members: members.map(([handle, role]) => ({ handle, role })) });

/** A space with one member or more of each role; gives its path. */
async function newSpace(visibility: "public" | "private" = "private"): Promise<string> {
  const slug = `members-${spaces++}`;
  await createSpace(owner, slug, { visibility, posting_rights: "members" });
  const path = `/spaces/${slug}`;
  await ok(
    edit(owner, path, ["mod", "mod"], ["other-mod", "mod"], ["poster", "poster"], ["reader", "reader"]),
  );
  return path;
}

/** Roles by handle. */
async function rolesOf(path: string): Promise<Record<string, string>> {
  const { members } = await ok(owner.get(`${path}/members`));
  return Object.fromEntries(members.map(({ handle, role }: Body) => [handle, role]));
}

const ALL = { owner: "owner", mod: "mod", "other-mod": "mod", poster: "poster", reader: "reader" };

describe("members", () => {
  it("are listed with role and time, in the order of joining [D8-space-members] [S2.6-member-roles]", async () => {
    const path = await newSpace();
    const { members, next_cursor } = await ok(reader.get(`${path}/members`));
    const joined_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(members).toEqual(Object.entries(ALL).map(([handle, role]) => ({ handle, role, joined_at })));
    expect(next_cursor).toBeNull();
    for (const limit of [1, 2, 5]) {
      const listed = await everyPage(reader, `${path}/members`, "members", limit);
      expect(listed.map(({ handle }) => handle)).toEqual(Object.keys(ALL));
    }
  });

  it("of a private space are hidden from strangers, of a public one shown [D8-space-members] [S4.1-feed-private]", async () => {
    await refused(stranger.get(`${await newSpace()}/members`), "NOT_FOUND");
    expect((await ok(stranger.get(`${await newSpace("public")}/members`))).members).toHaveLength(5);
  });

  it("are counted by role in what an edit answers [S2.6-space-detail] [S4.1-space-update-detail] [S4.1-space-members]", async () => {
    const path = await newSpace();
    expect((await ok(owner.get(path))).member_counts).toEqual({ owner: 1, mod: 2, poster: 1, reader: 1 });
    const edited = await ok(edit(owner, path, ["stranger", "reader"], ["mod", "remove"]));
    expect(edited.member_counts).toEqual({ owner: 1, mod: 1, poster: 1, reader: 2 });
  });

  it("may be named with or without @ [S4.1-space-members]", async () => {
    const path = await newSpace();
    await ok(edit(owner, path, ["@stranger", "poster"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "poster" });
    await ok(edit(owner, path, ["stranger", "remove"]));
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it.each(["owner", "admin", "", null])("cannot be given the role %j [S2.6-member-roles]", async (role) => {
    const path = await newSpace();
    await refused(owner.put(path, { members: [{ handle: "stranger", role }] }), "VALIDATION_ERROR");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it("keep the time of joining when their role changes [D8-space-members]", async () => {
    const path = await newSpace();
    const before = (await ok(owner.get(`${path}/members`))).members;
    await ok(edit(owner, path, ["reader", "mod"]));
    const after = (await ok(owner.get(`${path}/members`))).members;
    expect(after.map((member: Body) => [member.handle, member.joined_at])).toEqual(
      before.map((member: Body) => [member.handle, member.joined_at]),
    );
  });

  it("who are edited to what they are, or removed though strangers, stay as they are [S4.1-space-members]", async () => {
    const path = await newSpace();
    await ok(edit(owner, path, ["poster", "poster"], ["stranger", "remove"]));
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it("are edited in the order given [S4.1-space-members]", async () => {
    const path = await newSpace();
    await ok(edit(owner, path, ["stranger", "mod"], ["stranger", "remove"], ["stranger", "reader"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "reader" });
  });

  it("gain and lose what a private space holds at once [S4.1-feed-private]", async () => {
    const path = await newSpace();
    const { id } = await send(poster, path.replace("/spaces/", "#"));
    await refused(stranger.get(`${path}/wires`), "NOT_FOUND");
    await ok(edit(owner, path, ["stranger", "reader"]));
    expect((await ok(stranger.get(`${path}/wires`))).wires).toMatchObject([{ id }]);
    await ok(stranger.get(`/wires/${id}`));
    await ok(edit(owner, path, ["stranger", "remove"]));
    await refused(stranger.get(`${path}/wires`), "NOT_FOUND");
    await refused(stranger.get(`/wires/${id}`), "NOT_FOUND");
  });
});

describe("the roles of a space", () => {
  it("decide who may post under posting_rights [S1-space-creator]", async () => {
    const path = await newSpace("public");
    const to = path.replace("/spaces/", "#");
    const may = async (agent: AgentClient) => (await agent.post("/wires", { to, text: "hi" })).status === 201;
    const everyone = [owner, mod, poster, reader, stranger];
    const allowed = async () => {
      const verdicts = await Promise.all(everyone.map(may));
      return everyone.filter((_, index) => verdicts[index]).map(({ slug }) => slug);
    };
    expect(await allowed()).toEqual(["owner", "mod", "poster"]);
    await ok(owner.put(path, { posting_rights: "mods" }));
    expect(await allowed()).toEqual(["owner", "mod"]);
    await ok(owner.put(path, { posting_rights: "anyone" }));
    expect(await allowed()).toEqual(["owner", "mod", "poster", "reader", "stranger"]);
  });
});

describe("a mod", () => {
  it("adds, switches and removes posters and readers [D6-mod-members] [S4.1-space-update-mod]", async () => {
    const path = await newSpace();
    await ok(edit(mod, path, ["stranger", "reader"], ["poster", "reader"], ["reader", "poster"]));
    expect(await rolesOf(path)).toEqual({ ...ALL, stranger: "reader", poster: "reader", reader: "poster" });
    await ok(edit(mod, path, ["stranger", "remove"], ["poster", "remove"]));
    expect(await rolesOf(path)).toEqual({ owner: "owner", mod: "mod", "other-mod": "mod", reader: "poster" });
  });

  it.each<[string, Role]>([
    ["stranger", "mod"],
    ["poster", "mod"],
    ["other-mod", "poster"],
    ["other-mod", "remove"],
    ["mod", "poster"],
  ])("may not make @%s %s [D6-mod-members] [S4.1-space-update-mod]", async (handle, role) => {
    const path = await newSpace();
    await refused(edit(mod, path, [handle, role]), "FORBIDDEN");
    await refused(edit(mod, path, ["stranger", "reader"], [handle, role]), "FORBIDDEN");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it("is made, unmade and removed by the owner [S4.1-space-update-owner]", async () => {
    const path = await newSpace();
    await ok(edit(owner, path, ["poster", "mod"], ["mod", "reader"], ["other-mod", "remove"]));
    expect(await rolesOf(path)).toEqual({ owner: "owner", mod: "reader", poster: "mod", reader: "reader" });
    await refused(edit(mod, path, ["reader", "remove"]), "FORBIDDEN");
    await ok(edit(poster, path, ["mod", "remove"]));
  });
});

describe("leaving", () => {
  it("is open to mod, poster and reader [D6-leave]", async () => {
    const path = await newSpace();
    for (const agent of [mod, poster, reader]) {
      await ok(edit(agent, path, [`@${agent.slug}`, "remove"]));
      await refused(agent.get(path), "NOT_FOUND");
    }
    expect(await rolesOf(path)).toEqual({ owner: "owner", "other-mod": "mod" });
  });

  it("is for oneself alone: posters and readers remove nobody else [D6-leave]", async () => {
    const path = await newSpace();
    await refused(edit(poster, path, ["reader", "remove"]), "FORBIDDEN");
    await refused(edit(reader, path, ["reader", "remove"], ["poster", "remove"]), "FORBIDDEN");
    await refused(edit(reader, path, ["reader", "poster"]), "FORBIDDEN");
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it("is not for the owner, whom nobody may name: 400 [D6-leave] [D6-owner-named]", async () => {
    const path = await newSpace();
    for (const by of [owner, mod]) {
      for (const role of ["remove", "mod", "poster", "reader"] as const) {
        const { errors } = await refused(
          edit(by, path, ["stranger", "reader"], ["owner", role]),
          "VALIDATION_ERROR",
        );
        expect(errors[0].instancePath).toBe("/members/1/handle");
      }
    }
    expect(await rolesOf(path)).toEqual(ALL);
  });
});

describe("the owner", () => {
  it.each(["poster", "mod", "stranger"])(
    "hands the space over to @%s and becomes mod [D6-transfer] [S4.1-space-transfer]",
    async (heir) => {
      const path = await newSpace();
      const { id } = await ok(owner.get(path));
      const heirClient = { poster, mod, stranger }[heir]!;
      const updated = await ok(owner.put(path, { transfer_owner: `@${heir}` }));
      expect(updated).toMatchObject({ id, owner_handle_id: heirClient.id, member_counts: { owner: 1 } });
      const { members } = await ok(heirClient.get(`${path}/members`));
      const roles = Object.fromEntries(members.map((member: Body) => [member.handle, member.role]));
      expect(roles).toEqual({ ...ALL, [heir]: "owner", owner: "mod" });
      await refused(owner.put(path, { description: "still mine" }), "FORBIDDEN");
      await ok(heirClient.put(path, { description: "mine now" }));
      await ok(edit(heirClient, path, ["owner", "remove"]));
      await refused(owner.get(path), "NOT_FOUND");
    },
  );

  it("stays owner when it names itself [D6-transfer]", async () => {
    const path = await newSpace();
    expect(await ok(owner.put(path, { transfer_owner: "owner" }))).toMatchObject({
      owner_handle_id: owner.id,
    });
    expect(await rolesOf(path)).toEqual(ALL);
  });

  it("is one alone, also where two heirs are named at once [D6-transfer]", async () => {
    const path = await newSpace();
    const heirs = [mod, poster, reader, stranger];
    const replies = await Promise.all(heirs.map(({ slug }) => owner.put(path, { transfer_owner: slug })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    const won = heirs[replies.findIndex(({ status }) => status === 200)]!;
    const detail = await ok(won.get(path));
    expect(detail).toMatchObject({ owner_handle_id: won.id, member_counts: { owner: 1 } });
  });

  it("may not be changed by anyone else [D6-transfer] [S4.1-space-transfer]", async () => {
    const path = await newSpace();
    for (const agent of [mod, poster, reader]) {
      await refused(agent.put(path, { transfer_owner: agent.slug }), "FORBIDDEN");
    }
    await refused(owner.put(path, { transfer_owner: "no-such-handle" }), "NOT_FOUND");
    await refused(owner.put(path, { transfer_owner: null }), "VALIDATION_ERROR");
    expect(await rolesOf(path)).toEqual(ALL);
  });
});
