import type { ObjectRecord } from './bucket';

/** Evaluates the conditional headers that the app and browsers send with GET and HEAD (RFC 9110, section 13.2.2). */
export function evaluateConditions(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): 'proceed' | 'not-modified' | 'failed' {
  const match = headers.get('if-match');
  if (match !== undefined && !matchesEtag(match, record.etag)) return 'failed';
  const noneMatch = headers.get('if-none-match');
  return noneMatch !== undefined && matchesEtag(noneMatch, record.etag) ? 'not-modified' : 'proceed';
}

/**
 * Reads a Range header into its first and last byte. Returns undefined for the whole object: there's no header,
 * If-Range names another version, or the header is malformed or has several ranges, which S3 ignores (RFC 9110,
 * section 14.2).
 */
export function evaluateRange(
  record: ObjectRecord,
  headers: ReadonlyMap<string, string>,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '');
  const ifRange = headers.get('if-range');
  if (!range || (ifRange !== undefined && ifRange !== `"${record.etag}"`)) return undefined;
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

function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((item) => {
    const tag = item.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${etag}"` || tag === etag;
  });
}
