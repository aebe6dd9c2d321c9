/**
 * What a span or a metric may say. Everything else is dropped, so that a careless attribute can't take a title, an address,
 * or a URL with its query out of the process.
 */
const ALLOWED_KEYS = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'db.operation.name',
  'db.collection.name',
  'error.type',
  'rpc.method',
  'process.executable.name',
  'process.exit.code',
  'daylight.attempt',
  'daylight.bytes.in',
  'daylight.bytes.out',
  'daylight.check',
  'daylight.entry.id',
  'daylight.event',
  'daylight.folder',
  'daylight.function',
  'daylight.kind',
  'daylight.media.seconds',
  'daylight.outcome',
  'daylight.parts',
  'daylight.step',
  'daylight.timed_out',
]);

export type Attributes = Record<string, string | number | boolean | undefined>;

/** An identifier, an id, or the pattern of a route: no spaces, so no sentence, and no address. */
const IDENTIFIER = /^[\w./:[\]-]{1,100}$/;

/** What a span may be called: a few identifiers. */
const SPAN_NAME = /^[\w./:[\]-]{1,100}(?: [\w./:[\]-]{1,100}){0,2}$/;

/** Returns the attributes that may leave the process. A text that isn't an identifier becomes `other`. */
export function allowedAttributes(given: Attributes): Record<string, string | number | boolean> {
  const allowed: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || !ALLOWED_KEYS.has(key)) continue;
    allowed[key] = typeof value !== 'string' || IDENTIFIER.test(value) ? value : 'other';
  }
  return allowed;
}

/** Returns a span's name, or `other` for one that isn't made of a few identifiers. */
export const allowedName = (name: string): string => (SPAN_NAME.test(name) ? name : 'other');
