/** Returns the path of an entry's page, with its title for readability. */
export function entryHref({ id, title }: { id: string; title: string }): string {
  return `/entry/${id}/${encodeURIComponent(title)}`;
}
