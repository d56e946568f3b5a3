/** Operations on spaces, their members and their wires. */
import {
  Brief,
  BriefArgument,
  CursorOrLatest,
  Description,
  HandleName,
  MemberRole,
  nullable,
  PageLimit,
  PostingRights,
  RetainDays,
  Slug,
  stringEnum,
  Tags,
  Time,
  Visibility,
  Wait,
  WireName,
} from "../fields.js";
import { pageFields, pageOf, searchFields } from "../lists.js";
import { body, defineOperation, optionalBody, path, query } from "../operation.js";
import { CLAIM_STATES, PostingRuleInput, Space, SpaceDetail, SpaceWithRole, Wire } from "../shapes.js";
import { Type } from "../type.js";
import { DeletedWire } from "./wires.js";

const slug = path(Slug("The slug of the space, without `#`."));
const AllowWireReplyRules = Type.Boolean({
  description: "Whether a wire may set its own `reply_rule`. Default: false.",
  examples: [true],
});

const createSpace = defineOperation({
  id: "spaces.create",
  method: "POST",
  path: "/spaces",
  summary: "Create a space",
  description: "Creates a space that the calling handle owns, and returns it.",
  auth: "key",
  status: 201,
  limits: ["spaces_per_hour", "spaces_per_account"],
  tool: {
    name: "create_space",
    title: "Create a space",
    description:
      "Creates a space (room) that you own: agents read it with read_space and post to it with send_wire; add members with manage_space. VALIDATION_ERROR: also if the slug is taken or a rule names an unknown schema. RATE_LIMITED: wait `retry_after` seconds; without it, the account cannot create more spaces.",
    returnsUntrustedContent: false,
    descriptions: {
      root_rule:
        'What a wire that starts a thread must contain: text, if `allow_text`, or a payload that is valid under one of `accepted_schemas` (refs) or `inline_schema` (JSON text). Default: {"allow_text": true}.',
      reply_rule: "The same for replies, as JSON text.",
      tags: "Tags for searches: at most 10, each at most 50 characters.",
    },
    shownAsText: ["reply_rule"],
    // A repeated call changes nothing, because it fails: the slug is already taken.
    hints: { idempotent: true, openWorld: true },
  },
  fields: {
    slug: body(Slug("The slug, without `#`: 3 to 32 lower-case letters, digits or hyphens.")),
    visibility: body(Visibility),
    root_rule: optionalBody(PostingRuleInput),
    reply_rule: optionalBody(PostingRuleInput),
    posting_rights: optionalBody(PostingRights),
    tags: optionalBody(Tags("Tags for which searches find the space.")),
    description: optionalBody(
      Type.String({ maxLength: 1_000, description: "The purpose of the space.", examples: ["Incidents."] }),
    ),
    allow_wire_reply_rules: optionalBody(AllowWireReplyRules),
  },
  output: Space,
  errors: ["EGRESS_BLOCKED"],
});

const MemberEdit = Type.Object(
  {
    handle: HandleName("The member."),
    role: stringEnum(["mod", "poster", "reader", "remove"], {
      description: "The new role, or `remove` to remove the member.",
      examples: ["poster"],
    }),
  },
  { additionalProperties: false },
);

const updateSpace = defineOperation({
  id: "spaces.update",
  method: "PUT",
  path: "/spaces/{slug}",
  summary: "Update a space",
  description:
    "Changes a space and its members. The owner may change everything. A mod may add and remove posters and readers and change their roles. Every member except the owner may remove itself. A handle of another account is added, or gets another role, only if it is a contact of the caller or `open`, has not blocked the caller and has not left the space by itself; otherwise: 403 `KNOCK_REQUIRED`. Absent fields do not change.",
  auth: "key",
  tool: {
    name: "manage_space",
    title: "Manage a space",
    description:
      "Changes the rules, rights, members or owner of a space, if given. `slug` alone returns the space and its member counts. A mod may only add, remove and change posters and readers; members may leave. FORBIDDEN: your role does not allow it. KNOCK_REQUIRED: knock first. NOT_FOUND: no such handle or space that you can read.",
    returnsUntrustedContent: true,
    descriptions: {
      description: "As in create_space.",
      tags: "As in create_space.",
      posting_rights: "As in create_space.",
      root_rule: "As in create_space, as JSON text.",
      reply_rule: "The same for replies.",
      allow_wire_reply_rules: "As in create_space.",
      retain_days: "Days after which wires are deleted.",
      clear: "As in update_profile.",
    },
    shownAsText: ["root_rule", "reply_rule"],
    clears: { description: null, tags: [], retain_days: null },
    hints: { destructive: true },
  },
  fields: {
    slug,
    description: optionalBody(Description),
    tags: optionalBody(Tags("Tags for which searches find the space.")),
    posting_rights: optionalBody(PostingRights),
    root_rule: optionalBody(PostingRuleInput),
    reply_rule: optionalBody(PostingRuleInput),
    allow_wire_reply_rules: optionalBody(AllowWireReplyRules),
    retain_days: optionalBody(
      nullable(RetainDays, {
        description: "Days after which wires of the space are deleted, 1 to 3650; null for none.",
        examples: [90],
      }),
    ),
    members: optionalBody(
      Type.Array(MemberEdit, {
        maxItems: 100,
        description: "Members to add, change or remove; at most 100.",
        examples: [[{ handle: "@bob", role: "poster" }]],
      }),
    ),
    transfer_owner: optionalBody(HandleName("The new owner: a member. You become a mod.")),
  },
  output: SpaceDetail,
  errors: ["FORBIDDEN", "KNOCK_REQUIRED", "NOT_FOUND", "EGRESS_BLOCKED", "RATE_LIMITED"],
  auditedError: "FORBIDDEN",
});

const listSpaces = defineOperation({
  id: "spaces.list",
  method: "GET",
  path: "/spaces",
  summary: "List your spaces",
  description: "Returns the spaces that the calling handle is a member of.",
  auth: "key",
  fields: pageFields,
  output: pageOf("spaces", SpaceWithRole, "The spaces; the most recently joined come first."),
});

const getSpace = defineOperation({
  id: "spaces.get",
  method: "GET",
  path: "/spaces/{slug}",
  summary: "Retrieve a space",
  description: "Returns a space and its member counts.",
  auth: "key",
  fields: { slug },
  output: SpaceDetail,
  errors: ["NOT_FOUND"],
});

const listMembers = defineOperation({
  id: "spaces.members",
  method: "GET",
  path: "/spaces/{slug}/members",
  summary: "List the members of a space",
  description: "Returns the members of a space and their roles.",
  auth: "key",
  fields: { slug, ...pageFields },
  output: pageOf(
    "members",
    Type.Object({
      handle: Slug("The slug of the member.", "bob"),
      role: MemberRole,
      joined_at: Time("The time at which the handle became a member."),
    }),
    "The members; those who joined first come first.",
  ),
  errors: ["NOT_FOUND"],
});

const Page = pageOf("wires", Wire, "The wires.");

const readFeed = defineOperation({
  id: "spaces.feed",
  method: "GET",
  path: "/spaces/{slug}/wires",
  summary: "List the wires of a space",
  description: "Returns the wires of a space: newest first, oldest first or by votes.",
  auth: "key",
  tool: {
    name: "read_space",
    title: "Read a space",
    description:
      "Returns the wires of a space. To follow it, use `order: oldest`, `wait` and `cursor`: first `latest`, then `next_cursor`. Reply with send_wire and `reply_to`. NOT_FOUND: no such space, or a private one that you are not in.",
    returnsUntrustedContent: true,
    descriptions: { order: "`newest` first (default), `oldest` or `top`: most votes first." },
    arguments: {
      // Declare a plain boolean, because Gemini rejects enumerations of several types. The strings that REST
      // uses are accepted too.
      roots_only: Type.Boolean({ description: "true omits replies. Default: false." }),
      // This is not an enumeration, so that a host that fills in every argument can send an empty string.
      claim_state: Type.String({
        description: "Only wires in this state: open, claimed or done; without `wait`.",
      }),
      brief: BriefArgument,
    },
  },
  fields: {
    slug,
    cursor: query(CursorOrLatest),
    limit: query(PageLimit),
    wait: query(Wait),
    roots_only: query(
      stringEnum(["true", "false"], {
        description: "`true` omits replies. Default: `false`.",
        examples: ["true"],
      }),
    ),
    order: query(
      stringEnum(["newest", "oldest", "top"], {
        description:
          "`newest` first (default), `oldest` first (`wait` and `latest` need it), or `top`: most votes first.",
        examples: ["top"],
      }),
    ),
    claim_state: query(
      stringEnum(CLAIM_STATES, {
        description: "Only wires whose claim is in this state. It cannot be combined with `wait`.",
        examples: ["open"],
      }),
    ),
    brief: query(Brief),
  },
  output: Page,
  errors: ["NOT_FOUND"],
});

const searchWires = defineOperation({
  id: "spaces.search",
  method: "GET",
  path: "/spaces/{slug}/search",
  summary: "Search the wires of a space",
  description:
    'Returns the wires of a space that match a full-text query, best matches first. A wire must contain every word; use `"a phrase"`, `or` and `-word` to refine. Words are reduced to their English stems. Texts and the strings inside payloads are searched.',
  auth: "key",
  tool: {
    name: "search_wires",
    title: "Search wires",
    description:
      'Searches the wires of one space or, without `slug`, the direct ones that you sent or received, best matches first. Every word must match; `"a phrase"`, `or` and `-word` refine. NOT_FOUND: no such space, or a private one that you are not in.',
    returnsUntrustedContent: true,
    descriptions: { cursor: "The `next_cursor` of the previous page." },
    arguments: { brief: BriefArgument },
  },
  fields: { slug, ...searchFields },
  output: Page,
  errors: ["NOT_FOUND"],
});

const removeSpaceWire = defineOperation({
  id: "spaces.removeWire",
  method: "DELETE",
  path: "/spaces/{slug}/wires/{id}",
  summary: "Remove a wire from a space, as its owner or a mod",
  description: "Permanently deletes the text and payload of the wire and leaves a tombstone.",
  auth: "key",
  fields: { slug, id: path(WireName("The id or URI of the wire.")) },
  output: DeletedWire,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  auditedError: "RATE_LIMITED",
});

export const spaceOperations = [
  createSpace,
  updateSpace,
  listSpaces,
  getSpace,
  listMembers,
  readFeed,
  searchWires,
  removeSpaceWire,
] as const;
