import type { ObjectRecord } from './bucket';
import { S3Error } from './errors';

/** The header overrides that a presigned GET may carry, by query parameter. */
export const RESPONSE_OVERRIDES = new Map([
  ['response-content-type', 'content-type'],
  ['response-content-disposition', 'content-disposition'],
  ['response-cache-control', 'cache-control'],
]);

export const DEFAULT_CONTENT_TYPE = 'binary/octet-stream';

/** Returns the headers of GET and HEAD for the whole object, with the overrides in the query. */
export function responseHeaders(
  record: ObjectRecord,
  query: ReadonlyMap<string, string>,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.modified).toUTCString(),
    'accept-ranges': 'bytes',
  };
  for (const [parameter, name] of RESPONSE_OVERRIDES) {
    const value = query.get(parameter);
    if (value !== undefined) headers[name] = encodeHeaderValue(value, parameter);
  }
  // Last, because Node re-encodes a Content-Disposition that comes after Content-Length.
  headers['content-length'] = String(record.size);
  return headers;
}

/** Encodes text as the UTF-8 bytes of a header. Throws InvalidArgument for control characters, which could end it. */
export function encodeHeaderValue(text: string, argument: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f)) {
    throw new S3Error('InvalidArgument', 'Header values cannot contain control characters', {
      ArgumentName: argument,
    });
  }
  return bytes.toString('latin1');
}
