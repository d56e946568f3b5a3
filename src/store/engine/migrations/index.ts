/** Every migration in order. One that has been released is never edited: add another. */
import type { Sql } from "../sql.js";
import { initial } from "./0001-initial.js";
import { identity } from "./0002-identity.js";
import { audit } from "./0003-audit.js";
import { egress } from "./0004-egress.js";
import { names } from "./0005-names.js";
import { newWires } from "./0006-new-wires.js";

export interface Migration {
  id: number;
  name: string;
  /** DDL as SQLite has it, which the PostgreSQL engine translates (`postgres/ddl.ts`), or a form for each. */
  sql: readonly Sql[];
  /**
   * Id of the migration that a daemon must know in order to live with this one, where older ones cannot: that of the
   * release before, which already works with and without what is removed here. Left out, it only adds, and daemons of the
   * version before run on beside it (CONTRIBUTING).
   */
  needs?: number;
}

export const migrations: readonly Migration[] = [initial, identity, audit, egress, names, newWires];
