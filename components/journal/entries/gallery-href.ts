/** The gallery's query parameters. */
export interface GalleryQuery {
  /** Ids of tags, all of which the entries have. */
  tag?: readonly string[] | undefined;
  /** `YYYY-MM`, or `YYYY` for a whole year. */
  month?: string | undefined;
  /** Only entries with notes. */
  notes?: boolean | undefined;
  view?: 'calendar' | 'timeline' | undefined;
  /** The timeline's newest day, `YYYY-MM-DD`. */
  at?: string | undefined;
  /** The cursor that the timeline's entries come before, or after. */
  before?: string | undefined;
  after?: string | undefined;
}

/** Returns a query's parameters, as an address and a form have them. */
export function galleryParams({ tag = [], month, notes, view, at, before, after }: GalleryQuery) {
  const params: [name: string, value: string][] = tag.map((id) => ['tag', id]);
  for (const [name, value] of Object.entries({ view, month, at, before, after })) {
    if (value) params.push([name, value]);
  }
  if (notes) params.push(['notes', 'true']);
  return params;
}

/** Returns the path of a page of the gallery. */
export function galleryHref(query: GalleryQuery, page = 1): string {
  const search = new URLSearchParams(galleryParams(query));
  if (page > 1) search.set('page', String(page));
  const text = search.toString();
  return text ? `/journals?${text}` : '/journals';
}

/** Returns what another place of the same view shares with a query: its filters, but no page or day. */
export const withoutPlace = ({ tag, notes, month, view }: GalleryQuery): GalleryQuery => ({
  tag,
  notes,
  month,
  view,
});

/** Returns a query's filters, as requests have them. */
export const apiFilter = ({ tag, month, notes }: GalleryQuery) => ({
  tag: tag && [...tag],
  month,
  notes: notes ? ('true' as const) : undefined,
});

/** Returns whether a query narrows the gallery down. */
export const isFiltered = ({ tag, month, notes }: GalleryQuery): boolean =>
  Boolean(tag?.length || month || notes);

/** Returns the query that narrows the gallery down to a tag, too; if it already does, the one that doesn't. */
export function toggleTag(query: GalleryQuery, id: string): GalleryQuery {
  const { tag = [] } = query;
  return { ...query, tag: tag.includes(id) ? tag.filter((one) => one !== id) : [...tag, id] };
}

type Param = string | string[] | undefined;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an address's parameters, and ignores what isn't valid. */
export function readGalleryQuery(params: Record<string, Param>): GalleryQuery {
  const match = (name: string, pattern: RegExp) => {
    const value = params[name];
    return typeof value === 'string' && pattern.test(value) ? value : undefined;
  };
  const tag = [...new Set([params.tag ?? []].flat())].filter((id) => UUID.test(id)).slice(0, 50);
  return {
    tag: tag.length > 0 ? tag : undefined,
    month: match('month', /^(19|20|21)\d\d(-(0[1-9]|1[0-2]))?$/),
    notes: params.notes === 'true' || undefined,
    view: match('view', /^(calendar|timeline)$/) as GalleryQuery['view'],
    at: match('at', /^(19|20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
    before: match('before', /^[\w-]{1,300}$/),
    after: match('after', /^[\w-]{1,300}$/),
  };
}
