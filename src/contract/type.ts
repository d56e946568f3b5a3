/**
 * Builds the contract's JSON Schemas, and takes only static types from TypeBox. The package itself is not
 * loaded, because its many modules would slow down start-up (docs/decisions/017).
 */
import type * as typebox from "typebox";

const optional = new WeakSet<object>();

export const Type = {
  String: (options: typebox.TStringOptions = {}) => ({ type: "string", ...options }) as typebox.TString,

  Boolean: (options: typebox.TSchemaOptions = {}) => ({ type: "boolean", ...options }) as typebox.TBoolean,

  Integer: (options: typebox.TNumberOptions = {}) => ({ type: "integer", ...options }) as typebox.TInteger,

  Literal: <Value extends string>(value: Value, options: typebox.TSchemaOptions = {}) =>
    ({ type: "string", const: value, ...options }) as unknown as typebox.TLiteral<Value>,

  Array: <Item extends typebox.TSchema>(items: Item, options: typebox.TArrayOptions = {}) =>
    ({ type: "array", items, ...options }) as unknown as typebox.TArray<Item>,

  Union: <Schemas extends typebox.TSchema[]>(anyOf: [...Schemas], options: typebox.TSchemaOptions = {}) =>
    ({ anyOf, ...options }) as unknown as typebox.TUnion<Schemas>,

  /**
   * Returns a schema with a static type that the compiler does not check. The caller must choose the correct
   * type.
   */
  Unsafe: <Value>(schema: object) => ({ ...schema }) as unknown as typebox.TUnsafe<Value>,

  Optional<Schema extends typebox.TSchema>(schema: Schema) {
    const copy = { ...schema };
    optional.add(copy);
    return copy as unknown as typebox.TOptional<Schema>;
  },

  Object<Properties extends typebox.TProperties>(
    properties: Properties,
    options: typebox.TObjectOptions = {},
  ) {
    const names = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
    const required = names.length > 0 ? { required: names } : {};
    return { type: "object", ...required, properties, ...options } as unknown as typebox.TObject<Properties>;
  },
};
