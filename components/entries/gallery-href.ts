/** The gallery's query parameters. */
export interface GalleryQuery {
  tag?: string | undefined;
  /** `YYYY-MM` */
  month?: string | undefined;
  view?: 'calendar' | undefined;
}

/** Returns the path of a page of the gallery. */
export function galleryHref({ tag, month, view }: GalleryQuery, page = 1): string {
  const search = new URLSearchParams();
  if (view) search.set('view', view);
  if (tag) search.set('tag', tag);
  if (month) search.set('month', month);
  if (page > 1) search.set('page', String(page));
  const text = search.toString();
  return text ? `/journals?${text}` : '/journals';
}
