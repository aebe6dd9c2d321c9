/** Path segments that browsers resolve (WHATWG URL, 4.4), also in a link. */
const DOTS = new Set(['.', '..']);

/** Returns the path of an entry's page, with its title for readability, unless a browser would take that for another path. */
export function entryHref({ id, title }: { id: string; title: string }): string {
  return DOTS.has(title) ? `/entry/${id}` : `/entry/${id}/${encodeURIComponent(title)}`;
}
