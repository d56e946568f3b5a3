/** Declares arguments. Most declarations also save the given name, because hints below errors repeat it. */
import {
  parseHandleArgument,
  parseOwnHandleArgument,
  parseSpaceArgument,
  parseWireArgument,
} from "../input/arguments.js";
import type { Session } from "../session.js";

type Fields = Readonly<Record<string, unknown>>;

/** An id of a wire, knock or approval in examples. */
export const EXAMPLE_ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

export interface Argument {
  /** Such as `<handle>` or `[words...]`. */
  usage: string;
  description: string;
  fields(value: never, session: Session): Fields | Promise<Fields>;
}

export function argument(usage: string, description: string, field: string): Argument {
  return { usage, description, fields: (value) => ({ [field]: value }) };
}

export function handleArgument(description: string, field = "handle", usage = "<handle>"): Argument {
  return {
    usage,
    description,
    fields: (name: string, session) => ({ [field]: parseHandleArgument(session, name) }),
  };
}

export function ownHandleArgument(): Argument {
  return {
    usage: "<handle>",
    description: "one of your handles",
    fields: (name: string, session) => ({ slug: parseOwnHandleArgument(session, name) }),
  };
}

export function spaceArgument(): Argument {
  return {
    usage: "<space>",
    description: "name of the space, such as ops",
    fields: (name: string, session) => ({ slug: parseSpaceArgument(session, name) }),
  };
}

export function wireArgument(description = "id or URI of the wire"): Argument {
  return {
    usage: "<wire>",
    description,
    fields: (name: string, session) => ({ id: parseWireArgument(session, name) }),
  };
}

export function wordsArgument(usage: "<words...>" | "[words...]", description: string): Argument {
  return {
    usage,
    description,
    fields: (words: readonly string[]) => (words.length === 0 ? {} : { q: words.join(" ") }),
  };
}
