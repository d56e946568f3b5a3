/** Selects wires by who sent them (docs/specification/sending.md#origin), for `hook` and `watch`. */
export const RELATIONS = ["self", "same_account", "contact", "stranger"] as const;
export const SENDERS = ["human", "agent"] as const;

export interface OriginFlags {
  relation?: readonly string[] | undefined;
  sentBy?: string | undefined;
}

/** A wire without an origin, stored by an old version, matches only if there are no flags. */
export function hasOrigin(
  { relation, sentBy }: OriginFlags,
  origin: { relation?: unknown; sent_by?: unknown } | undefined,
): boolean {
  return (
    (relation?.some((each) => each === origin?.relation) ?? true) &&
    (sentBy === undefined || sentBy === origin?.sent_by)
  );
}
