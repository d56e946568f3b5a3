/** Operations on the sign-ins of a human (docs/specification/dashboard-operations.md#sign-ins). */
import type { Static } from "typebox";
import { Cursor, IdInput, NextCursor, PageLimit, stringEnum, Time, Uuid } from "../fields.js";
import { defineOperation, path, query } from "../operation.js";
import { Type } from "../type.js";

/** A sign-in, as GET /sign-ins lists it. */
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
  fields: { cursor: query(Cursor), limit: query(PageLimit) },
  output: Type.Object({
    sign_ins: Type.Array(SignIn, { description: "The sign-ins, newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
});

const endSignIn = defineOperation({
  id: "signIns.end",
  method: "DELETE",
  path: "/sign-ins/{id}",
  summary: "End a sign-in",
  description:
    "Ends a sign-in and its ID tokens immediately. API keys, connections and access tokens of handles stay valid. Repeating the call returns the same result.",
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

export const signInOperations = [listSignIns, endSignIn, endOtherSignIns] as const;
