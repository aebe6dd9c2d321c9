import type { ObjectRecord } from './bucket';

/** What the conditional headers of GET and HEAD decide (RFC 9110, section 13.2.2). */
export function evaluateConditions(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): 'proceed' | 'not-modified' | 'failed' {
  const modified = Date.parse(record.modified);
  const match = headers.get('if-match');
  const unmodifiedSince = parseDate(headers.get('if-unmodified-since'));
  if (match !== undefined) {
    if (!matchesEtag(match, record.etag)) return 'failed';
  } else if (unmodifiedSince !== undefined && modified > unmodifiedSince) return 'failed';

  const noneMatch = headers.get('if-none-match');
  const modifiedSince = parseDate(headers.get('if-modified-since'));
  if (noneMatch !== undefined) return matchesEtag(noneMatch, record.etag) ? 'not-modified' : 'proceed';
  return modifiedSince !== undefined && modified <= modifiedSince ? 'not-modified' : 'proceed';
}

/** Both ends are included. */
export type ByteRange = { first: number; last: number };

/**
 * Reads a Range header for an object of `size` bytes. Undefined means the whole object: there is no
 * header, If-Range names another version, or the header is malformed or asks for several ranges, which S3
 * ignores as RFC 9110, section 14.2, allows.
 */
export function evaluateRange(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): ByteRange | 'unsatisfiable' | undefined {
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '');
  if (!range || !ifRangeMatches(record, headers.get('if-range'))) return undefined;
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

function ifRangeMatches(record: ObjectRecord, ifRange: string | undefined): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === `"${record.etag}"`;
  return parseDate(ifRange) === Date.parse(record.modified);
}

function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((item) => {
    const tag = item.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${etag}"` || tag === etag;
  });
}

function parseDate(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
