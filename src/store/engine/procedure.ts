/** Runs several writing statements in one round trip. */
import type { Transaction } from "./engine.js";

/**
 * Several writing statements that take one round trip. PostgreSQL pipelines the statements. On SQLite, the
 * statements form the body of a temporary trigger, and one INSERT runs them all. Separate statements would be
 * slow on SQLite, because each waits for the event loop, and other writes would wait for all of them.
 */
export class Procedure<Name extends string> {
  private readonly definition: readonly string[];
  private readonly insert: string;
  private readonly statements: readonly { sql: string; names: Name[] }[];

  /**
   * Creates a procedure.
   * @param name name of the temporary view and trigger on SQLite
   * @param parameters names of the parameters, which are integers
   * @param statements the statements in execution order; `:name` denotes a parameter. A statement must not
   *   begin with `WITH`
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

  /** Defines the procedure. Must be called once per engine, before {@link enqueue}. */
  async define(tx: Transaction): Promise<void> {
    if (tx.engine === "sqlite") for (const sql of this.definition) await tx.run(sql);
  }

  /** Queues the write. */
  enqueue(tx: Transaction, values: Readonly<Record<Name, number>>): void {
    const valuesOf = (names: readonly Name[]) => names.map((name) => values[name]);
    if (tx.engine === "sqlite") tx.enqueue(this.insert, valuesOf(this.parameters));
    else for (const { sql, names } of this.statements) tx.enqueue(sql, valuesOf(names));
  }
}

/**
 * Replaces each `:name` with a cast to bigint. The cast is needed because SQLite's driver binds large
 * integers as floating-point numbers, and because PostgreSQL must know the type.
 */
function replaceNames(sql: string, replace: (name: string) => string): string {
  return sql.replace(/:([a-z]+)/g, (_, name: string) => `CAST(${replace(name)} AS bigint)`);
}
