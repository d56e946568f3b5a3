/** Columns for search results of the switchboard (docs/specification/resources.md#entityresult). */
import type {
  EntityResult,
  EntityResultHandle,
  EntityResultSchema,
  EntityResultSpace,
} from "../../../sdk/src/index.js";
import type { Column } from "../table.js";
import { ruleText } from "./rule.js";

const HANDLES: readonly Column<EntityResultHandle>[] = [
  { title: "handle", cell: ({ slug }) => `@${slug}` },
  { title: "name", cell: ({ display_name }) => display_name ?? "", flexible: true },
  { title: "inbox accepts", cell: ({ inbox_rule }) => ruleText(inbox_rule), flexible: true },
  { title: "tags", cell: ({ tags }) => tags.join(", "), flexible: true },
  { title: "bio", cell: ({ bio }) => bio ?? "", flexible: true },
];

const SPACES: readonly Column<EntityResultSpace>[] = [
  { title: "space", cell: ({ slug }) => `#${slug}` },
  { title: "posting", cell: ({ posting_rights }) => posting_rights },
  { title: "posts accept", cell: ({ root_rule }) => ruleText(root_rule), flexible: true },
  { title: "tags", cell: ({ tags }) => tags.join(", "), flexible: true },
  { title: "description", cell: ({ description }) => description ?? "", flexible: true },
];

const SCHEMAS: readonly Column<EntityResultSchema>[] = [
  { title: "subject", cell: ({ subject }) => subject },
  { title: "latest", cell: ({ latest_version }) => String(latest_version) },
  { title: "compat", cell: ({ compat }) => compat },
];

export const ENTITY_COLUMNS: Readonly<
  Record<"handles" | "spaces" | "schemas", readonly Column<EntityResult>[]>
> = { handles: HANDLES, spaces: SPACES, schemas: SCHEMAS };
