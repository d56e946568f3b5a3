import type { KeysListOutput } from "../../../sdk/src/api.js";
import { now } from "../../clock.js";
import type { Output } from "../output.js";
import type { Column } from "../table.js";

type Key = KeysListOutput["keys"][number];
export type KeyState = "valid" | "revoked" | "expired";

export function keyState({ revoked_at, expires_at }: Key): KeyState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now() ? "expired" : "valid";
}

/** @param handles maps a handle's id to its name, such as `@alice` */
export function keyColumns({ time }: Output, handles: ReadonlyMap<string, string>): readonly Column<Key>[] {
  return [
    { title: "key", cell: ({ prefix }) => prefix },
    { title: "handle", cell: ({ handle_id }) => handles.get(handle_id) ?? handle_id },
    { title: "state", cell: keyState },
    { title: "issued", cell: ({ created_at }) => time(created_at) },
    { title: "last used", cell: ({ last_used_at }) => time(last_used_at) },
    { title: "expires", cell: ({ expires_at }) => time(expires_at) },
    { title: "name", cell: ({ name }) => name ?? "-", flexible: true },
    { title: "id", cell: ({ id }) => id, flexible: true },
  ];
}
