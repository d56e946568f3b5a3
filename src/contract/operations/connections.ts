/**
 * Operations on the connections of client applications, and on access tokens of humans
 * (docs/specification/dashboard-operations.md#connections).
 */
import type { Static } from "typebox";
import {
  Cursor,
  HandleName,
  IdInput,
  NextCursor,
  NullableTime,
  PageLimit,
  Slug,
  Time,
  Uuid,
} from "../fields.js";
import { body, defineOperation, path, query } from "../operation.js";
import { Type } from "../type.js";

/** A live connection, as GET /connections lists it. */
export const Connection = Type.Object(
  {
    id: Uuid("The id of the connection."),
    handle: Slug("The handle that the application acts for.", "alice"),
    client_id: Type.String({
      description:
        "The OAuth client id of the application: the URL of its metadata document, or the id that it got by registration.",
      examples: ["https://host.example/client.json"],
    }),
    client_name: Type.String({
      description: "The name of the application, which it chose itself.",
      examples: ["Example Host"],
    }),
    created_at: Time("The time at which the human approved the connection."),
    last_used_at: NullableTime("The time of the last call, to the minute; null if there was none."),
  },
  { description: "A connection: the permission of a human for one application to act for one handle." },
);
export type Connection = Static<typeof Connection>;

const listConnections = defineOperation({
  id: "connections.list",
  method: "GET",
  path: "/connections",
  summary: "List connections",
  description:
    "Returns the connections of all your handles: the applications that act for a handle with your permission. Ended connections are not listed.",
  auth: "token",
  fields: { cursor: query(Cursor), limit: query(PageLimit) },
  output: Type.Object({
    connections: Type.Array(Connection, { description: "The connections, newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
});

const revokeConnection = defineOperation({
  id: "connections.revoke",
  method: "DELETE",
  path: "/connections/{id}",
  summary: "Revoke a connection",
  description:
    "Ends a connection and its access tokens immediately and permanently. Repeating the call returns the same result.",
  auth: "token",
  fields: { id: path(IdInput("The id of the connection.")) },
  output: Type.Object({
    id: Uuid("The id of the connection."),
    revoked: Type.Boolean({ description: "Always true: the connection has ended.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

const issueToken = defineOperation({
  id: "handles.issueToken",
  method: "POST",
  path: "/handles/{slug}/token",
  summary: "Issue an access token",
  description:
    "Creates an access token that stands for one of your handles for an hour, so that a signed-in human can act as the handle without an API key. It ends when the handle is suspended or retired. A handle has at most 60 such tokens: one more ends the oldest.",
  auth: "token",
  status: 201,
  idempotent: false,
  fields: { slug: path(HandleName("One of your handles.")) },
  output: Type.Object({
    token: Type.String({
      description:
        "The plaintext of the token, which is accepted wherever an API key is. It is returned only once.",
      examples: ["wt_…"],
    }),
    expires_at: Time("The time at which the token expires."),
  }),
  errors: ["NOT_FOUND"],
});

const revokeToken = defineOperation({
  id: "handles.revokeToken",
  method: "POST",
  path: "/handles/{slug}/token/revoke",
  summary: "Revoke an access token",
  description:
    "Ends an access token of one of your handles before it expires. A token that is unknown or has ended returns the same result.",
  auth: "token",
  fields: {
    slug: path(HandleName("One of your handles.")),
    token: body(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The plaintext of a token that was issued for the handle.",
        examples: ["wt_…"],
      }),
    ),
  },
  output: Type.Object({
    revoked: Type.Boolean({ description: "Always true: the token has ended.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

export const connectionOperations = [listConnections, revokeConnection, issueToken, revokeToken] as const;
