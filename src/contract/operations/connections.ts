/**
 * Operations on everything that acts on a human's behalf: client connections, access tokens and sign-ins
 * (docs/specification/dashboard-operations.md#connections, #tokens-of-a-handle, #sign-ins).
 */
import type { Static } from "typebox";
import { HandleName, IdInput, NullableTime, Slug, stringEnum, Time, Uuid } from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { body, defineOperation, path } from "../operation.js";
import { Type } from "../type.js";

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
  fields: pageFields,
  output: pageOf("connections", Connection, "The connections, newest first."),
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

export const SignIn = Type.Object(
  {
    id: Uuid("The id of the sign-in."),
    client: stringEnum(["wireroom-cli", "wireroom-console"], {
      description: "Where the human signed in: the command line, or the console.",
      examples: ["wireroom-console"],
    }),
    created_at: Time("The time at which the human signed in."),
    last_used_at: Time("The time at which the sign-in last got an ID token, which it needs once an hour."),
    current: Type.Boolean({
      description: "Whether the ID token of this request belongs to the sign-in.",
      examples: [false],
    }),
  },
  { description: "A sign-in of a human at the command line or the console." },
);
export type SignIn = Static<typeof SignIn>;

const listSignIns = defineOperation({
  id: "signIns.list",
  method: "GET",
  path: "/sign-ins",
  summary: "List sign-ins",
  description:
    "Returns your sign-ins at the command line and the console that have not ended. With an external identity provider, those of the command line are at the provider, and are not listed.",
  auth: "token",
  fields: pageFields,
  output: pageOf("sign_ins", SignIn, "The sign-ins, newest first."),
});

const endSignIn = defineOperation({
  id: "signIns.end",
  method: "DELETE",
  path: "/sign-ins/{id}",
  summary: "End a sign-in",
  description:
    "Ends a sign-in immediately, with its ID tokens and the access tokens of handles that it issued. API keys and connections stay valid. Repeating the call returns the same result.",
  auth: "token",
  fields: { id: path(IdInput("The id of the sign-in.")) },
  output: Type.Object({
    id: Uuid("The id of the sign-in."),
    ended: Type.Boolean({ description: "Always true: the sign-in has ended.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

const endOtherSignIns = defineOperation({
  id: "signIns.endOthers",
  method: "DELETE",
  path: "/sign-ins",
  summary: "End all other sign-ins",
  description:
    "Ends all sign-ins except that of this request's ID token, and the sessions of all browsers at the sign-in page. With an ID token of an external identity provider, it ends all that are listed.",
  auth: "token",
  output: Type.Object({
    ended: Type.Integer({ description: "The number of sign-ins that were ended.", examples: [2] }),
  }),
});

export const connectionOperations = [
  listConnections,
  revokeConnection,
  listSignIns,
  endSignIn,
  endOtherSignIns,
  issueToken,
  revokeToken,
] as const;
