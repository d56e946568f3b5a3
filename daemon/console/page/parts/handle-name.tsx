import { knownBy } from "../app/known.js";
import { lookAlike } from "../app/look-alike.js";
import { texts } from "../texts/index.js";
import { Address } from "./address.js";

/**
 * The address of a handle, marked if it looks like one that the human knows.
 * @param as the human's handle that the view is about
 */
export function HandleName({ slug, as }: { slug: string; as: string }) {
  const known = knownBy(as).value;
  const other = known && !known.own.has(slug) ? lookAlike(slug, known.shapes) : undefined;
  return (
    <>
      <Address address={`@${slug}`} />
      {other !== undefined && <span class="tag bad">{texts.wire.looksLike(other)}</span>}
    </>
  );
}
