import { knownBy } from "../app/known.js";
import { lookAlike } from "../app/look-alike.js";
import { BASE } from "../app/router.js";

export function Address({ address, href }: { address: string; href?: string }) {
  return href === undefined ? (
    <bdi class="address">{address}</bdi>
  ) : (
    <a class="address" href={href.startsWith("/") ? href : `${BASE}/${href}`}>
      <bdi>{address}</bdi>
    </a>
  );
}

/**
 * Warns if the handle looks like another handle that the human knows.
 * @param as the human's handle for which the view is shown
 */
export function HandleName({ slug, as }: { slug: string; as: string }) {
  const known = knownBy(as).value;
  const other = known && !known.own.has(slug) ? lookAlike(slug, known.shapes) : undefined;
  return (
    <>
      <Address address={`@${slug}`} />
      {other !== undefined && <span class="tag bad">looks like @{other}, but is another handle</span>}
    </>
  );
}
