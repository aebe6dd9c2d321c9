import type { ObjectRecord } from './bucket';
import { S3Error } from './errors';
import type { Checksum } from './payload';

const STORED_HEADERS = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'cache-control',
  'expires',
] as const;
const RESPONSE_OVERRIDES = STORED_HEADERS.map((name) => [name, `response-${name}`] as const);
const METADATA_PREFIX = 'x-amz-meta-';
const MAX_METADATA_BYTES = 2 * 1024;

/** Takes what an object keeps of its request's headers or form fields. Throws MetadataTooLarge. */
export function parseAttributes(
  headers: ReadonlyMap<string, string>,
): Pick<ObjectRecord, 'headers' | 'metadata'> {
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of STORED_HEADERS) {
    const value = headers.get(name);
    if (value) kept[name] = value;
  }
  // aws-chunked is how the body travelled, not what it is.
  const encodings = (kept['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim());
  const encoding = encodings.filter((name) => name !== '' && name !== 'aws-chunked').join(', ');
  if (encoding) kept['content-encoding'] = encoding;
  else delete kept['content-encoding'];

  const metadata = Object.fromEntries(
    [...headers]
      .filter(([name]) => name.startsWith(METADATA_PREFIX))
      .map(([name, value]) => [name.slice(METADATA_PREFIX.length), value]),
  );
  const size = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > MAX_METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge', undefined, { MaxSizeAllowed: String(MAX_METADATA_BYTES) });
  }
  return { headers: kept, metadata };
}

/** The headers of GET and HEAD for the whole object, with the overrides that the query asks for. */
export function responseHeaders(
  record: ObjectRecord,
  query: ReadonlyMap<string, string>,
  withChecksum: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...record.headers,
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.modified).toUTCString(),
    'accept-ranges': 'bytes',
  };
  for (const [name, value] of Object.entries(record.metadata)) headers[`${METADATA_PREFIX}${name}`] = value;
  for (const [name, parameter] of RESPONSE_OVERRIDES) {
    const value = query.get(parameter);
    if (value !== undefined) headers[name] = encodeHeaderValue(value, parameter);
  }
  if (withChecksum) Object.assign(headers, checksumHeaders(record.checksum));
  // Last: Node rewrites the bytes of a Content-Disposition that it meets after Content-Length.
  headers['content-length'] = String(record.size);
  return headers;
}

export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (!checksum) return {};
  return {
    [`x-amz-checksum-${checksum.algorithm}`]: checksum.value,
    'x-amz-checksum-type': checksum.type,
  };
}

/** Writes text as the UTF-8 bytes of a header. Control characters could end the header: InvalidArgument. */
export function encodeHeaderValue(text: string, argument: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f)) {
    throw new S3Error('InvalidArgument', 'Header values cannot contain control characters', {
      ArgumentName: argument,
    });
  }
  return bytes.toString('latin1');
}
