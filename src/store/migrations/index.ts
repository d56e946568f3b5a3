/** Every migration in order. One that has been released is never edited: add another. */
import { initial } from "./0001-initial.js";
import { identity } from "./0002-identity.js";
import { audit } from "./0003-audit.js";
import { egress } from "./0004-egress.js";

export interface Migration {
  id: number;
  name: string;
  sql: readonly string[];
}

export const migrations: readonly Migration[] = [initial, identity, audit, egress];
