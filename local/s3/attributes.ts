import type { ObjectRecord } from './bucket';

/** The header overrides a presigned GET may have, by query parameter. */
export const RESPONSE_OVERRIDES = new Map([
  ['response-content-type', 'content-type'],
  ['response-cache-control', 'cache-control'],
  ['response-content-disposition', 'content-disposition'],
]);

export const DEFAULT_CONTENT_TYPE = 'binary/octet-stream';

/** Returns the headers of GET and HEAD for the whole object, with the overrides from the query. */
export function responseHeaders(
  record: ObjectRecord,
  query: ReadonlyMap<string, string>,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.modified).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(record.size),
  };
  for (const [parameter, name] of RESPONSE_OVERRIDES) {
    const value = query.get(parameter);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
