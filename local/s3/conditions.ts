import type { ObjectRecord } from './bucket';

/** Evaluates the conditional headers of GET and HEAD that the app and browsers send (RFC 9110, section 13.2.2). */
export function evaluateConditions(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): 'proceed' | 'not-modified' | 'failed' {
  const match = headers.get('if-match');
  if (match !== undefined && !matchesEtag(match, record.etag)) return 'failed';
  const noneMatch = headers.get('if-none-match');
  if (noneMatch !== undefined) return matchesEtag(noneMatch, record.etag) ? 'not-modified' : 'proceed';
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Date.parse(record.modified) <= since ? 'not-modified' : 'proceed';
}

/** Both ends are included. */
export type ByteRange = { first: number; last: number };

/**
 * Reads a Range header. Returns undefined for the whole object: there is no header, If-Range names another version,
 * or the header is malformed or asks for several ranges, which S3 ignores as RFC 9110, section 14.2, allows.
 */
export function evaluateRange(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): ByteRange | 'unsatisfiable' | undefined {
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '');
  if (!range || !matchesIfRange(record, headers.get('if-range'))) return undefined;
  const [, from = '', to = ''] = range;
  if (from === '') {
    if (to === '') return undefined;
    const suffix = Math.min(Number(to), record.size);
    return suffix === 0 ? 'unsatisfiable' : { first: record.size - suffix, last: record.size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= record.size) return 'unsatisfiable';
  return { first, last: to === '' ? record.size - 1 : Math.min(Number(to), record.size - 1) };
}

function matchesIfRange(record: ObjectRecord, ifRange: string | undefined): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === `"${record.etag}"`;
  return Date.parse(ifRange) === Date.parse(record.modified);
}

function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((item) => {
    const tag = item.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${etag}"` || tag === etag;
  });
}
