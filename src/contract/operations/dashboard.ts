/** Dashboard operations: what humans do with an identity-provider token (specification, section 4.2). */
import type { Static } from "typebox";
import {
  Bio,
  ContactPolicy,
  Discoverable,
  DisplayName,
  GivenId,
  HandleName,
  Id,
  NullableTime,
  Slug,
  Tags,
  Time,
  Uuid,
} from "../fields.js";
import { body, defineOperation, optionalBody, path } from "../operation.js";
import { Account, Handle, PostingRuleInput } from "../shapes.js";
import { Type } from "../type.js";

const getAccount = defineOperation({
  id: "account.get",
  method: "GET",
  path: "/accounts/me",
  summary: "The caller's account",
  description: "Created on the first call.",
  auth: "token",
  output: Account,
});

const listHandles = defineOperation({
  id: "handles.list",
  method: "GET",
  path: "/handles",
  summary: "The caller's own handles",
  auth: "token",
  output: Type.Object({
    handles: Type.Array(Handle, {
      description: "In the order of creation, without retired ones.",
      examples: [[]],
    }),
  }),
});

const createHandle = defineOperation({
  id: "handles.create",
  method: "POST",
  path: "/handles",
  summary: "Create a handle",
  auth: "token",
  status: 201,
  fields: {
    slug: body(Slug("The new handle, without `@`: 3 to 32 characters of a-z, 0-9 and `-`.", "alice")),
    display_name: optionalBody(DisplayName),
    bio: optionalBody(Bio),
    tags: optionalBody(Tags("Words by which the handle is found.")),
    contact_policy: optionalBody(ContactPolicy),
    inbox_rule: optionalBody(PostingRuleInput),
    discoverable: optionalBody(Discoverable),
  },
  output: Handle,
});

const retireHandle = defineOperation({
  id: "handles.retire",
  method: "DELETE",
  path: "/handles/{slug}",
  summary: "Retire a handle for good",
  description:
    "Its keys are revoked, its profile is emptied, it leaves its spaces and contacts, and its slug is never given out again; its wires stay with those who can read them. Spaces that it owns must be transferred first (400 says which). Retiring again answers the same.",
  auth: "token",
  fields: { slug: path(HandleName("The handle.")) },
  output: Type.Object({
    slug: Slug("The handle.", "alice"),
    retired: Type.Boolean({ description: "True: the handle is gone for good.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

const Prefix = Type.String({
  description: "First 12 characters of the key, safe to display.",
  examples: ["wr_0aB1cD2eF"],
});

const issueKey = defineOperation({
  id: "keys.issue",
  method: "POST",
  path: "/keys",
  summary: "Issue an API key",
  description: "The only operation that ever returns a plaintext key; it is shown once.",
  auth: "token",
  status: 201,
  idempotent: false,
  fields: {
    handle_id: body(GivenId("Id of a handle of the caller's.")),
    expires_at: optionalBody(
      Type.String({
        format: "date-time",
        description: "When the key ends by itself; without it the key lives until revoked.",
        examples: ["2027-01-02T03:04:05.678Z"],
      }),
    ),
  },
  output: Type.Object({
    id: Uuid("Id of the key."),
    key: Type.String({ description: "The plaintext key, shown this once.", examples: ["wr_…"] }),
    prefix: Prefix,
  }),
  errors: ["NOT_FOUND"],
});

/** A key as it is listed. */
export const ApiKey = Type.Object(
  {
    id: Uuid("Id of the key."),
    prefix: Prefix,
    handle_id: Id("Handle that the key stands for."),
    created_at: Time("When it was issued."),
    last_used_at: NullableTime("When it was last used, to the minute; null before the first use."),
    revoked_at: NullableTime("When it was revoked; null while it is not."),
    expires_at: NullableTime("When it ends by itself; null where it does not."),
  },
  { description: "An API key, without the key itself." },
);
export type ApiKey = Static<typeof ApiKey>;

const listKeys = defineOperation({
  id: "keys.list",
  method: "GET",
  path: "/keys",
  summary: "Keys of the caller's handles",
  auth: "token",
  output: Type.Object({
    keys: Type.Array(ApiKey, { description: "Newest first.", examples: [[]] }),
  }),
});

const revokeKey = defineOperation({
  id: "keys.revoke",
  method: "DELETE",
  path: "/keys/{id}",
  summary: "Revoke an API key",
  auth: "token",
  fields: {
    id: path(GivenId("Id of the key.")),
  },
  output: Type.Object({
    id: Uuid("Id of the key."),
    revoked: Type.Boolean({ description: "True: the key no longer works.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

export const dashboardOperations = [
  getAccount,
  listHandles,
  createHandle,
  retireHandle,
  issueKey,
  listKeys,
  revokeKey,
] as const;
