/** The address of an entry's page, with the title in it for people who read addresses. */
export function entryHref({ id, title }: { id: string; title: string }): string {
  return `/entry/${id}/${encodeURIComponent(title)}`;
}
