/** Runs several writing statements in one round trip. */
import type { Transaction } from "./engine.js";

/**
 * Several writing statements that take one round trip. PostgreSQL pipelines them. On SQLite, one INSERT runs
 * them as the body of a temporary trigger, because other writes would have to wait for each separate round
 * trip.
 */
export class Procedure<Name extends string> {
  private readonly definition: readonly string[];
  private readonly insert: string;
  private readonly statements: readonly { sql: string; names: Name[] }[];

  /**
   * @param name name of the temporary view and trigger on SQLite
   * @param parameters names of the parameters, which are integers
   * @param statements the statements in execution order, with `:name` for a parameter; none may begin with
   *   `WITH`
   */
  constructor(
    name: string,
    private readonly parameters: readonly Name[],
    statements: readonly string[],
  ) {
    const body = statements.map((sql) => `${replaceNames(sql, (name) => `NEW.${name}`)};`);
    const columns = parameters.map((parameter) => `NULL AS ${parameter}`).join(", ");
    this.definition = [
      `CREATE TEMP VIEW ${name} AS SELECT ${columns}`,
      `CREATE TEMP TRIGGER run_${name} INSTEAD OF INSERT ON ${name} BEGIN ${body.join(" ")} END`,
    ];
    this.insert = `INSERT INTO ${name} (${parameters.join(", ")}) VALUES (${parameters.map(() => "?").join(", ")})`;
    this.statements = statements.map((template) => {
      const names: Name[] = [];
      const sql = replaceNames(template, (name) => {
        names.push(name as Name);
        return "?";
      });
      return { sql, names };
    });
  }

  /** Must be called once per engine, before {@link enqueue}. */
  async define(tx: Transaction): Promise<void> {
    if (tx.engine === "sqlite") for (const sql of this.definition) await tx.run(sql);
  }

  enqueue(tx: Transaction, values: Readonly<Record<Name, number>>): void {
    const valuesOf = (names: readonly Name[]) => names.map((name) => values[name]);
    if (tx.engine === "sqlite") tx.enqueue(this.insert, valuesOf(this.parameters));
    else for (const { sql, names } of this.statements) tx.enqueue(sql, valuesOf(names));
  }
}

/**
 * Casts are needed because SQLite's driver binds large integers as floating-point numbers, and because
 * PostgreSQL must know the type.
 */
function replaceNames(sql: string, replace: (name: string) => string): string {
  return sql.replace(/:([a-z]+)/g, (_, name: string) => `CAST(${replace(name)} AS bigint)`);
}
