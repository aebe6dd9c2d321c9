import { createHash } from 'node:crypto';
import { S3Error } from './errors';
import type { SignatureChain } from './signature';
import { hmac, sameSignature, sha256Hex } from './sigv4';

const EMPTY_HASH = sha256Hex('');
const MAX_LINE_BYTES = 8 * 1024;
const MAX_TRAILERS = 8;

/**
 * Decodes `aws-chunked` while it streams: chunks of `size[;chunk-signature=…]`, then trailers. Every
 * signature of the chain is checked; data is passed on before its chunk is checked, so a caller keeps
 * nothing until this has ended. Trailers are put into `trailers` under lower-case names.
 * Source: "Signature calculations … transferring payload in multiple chunks" in the S3 API reference.
 */
export async function* decodeChunked(
  source: AsyncIterable<Buffer>,
  rule: { trailer: boolean; chain?: SignatureChain },
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = lineReader(source);
  try {
    const last = yield* decodeChunks(reader, rule.chain);
    await readTrailers(reader, rule, last, trailers);
  } finally {
    await reader.close();
  }
}

/** Yields the data of all chunks and returns the last signature of the chain. */
async function* decodeChunks(
  reader: LineReader,
  chain: SignatureChain | undefined,
): AsyncGenerator<Buffer, string> {
  let previous = chain?.seed ?? '';

  for (;;) {
    const header = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(await reader.line());
    if (!header?.[1]) throw new S3Error('IncompleteBody', 'A chunk of the body is malformed');
    const size = Number.parseInt(header[1], 16);
    const hash = chain && createHash('sha256');
    for await (const data of reader.take(size)) {
      hash?.update(data);
      yield data;
    }
    if (chain && hash) {
      const { key, date, scope } = chain;
      const toSign = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, EMPTY_HASH, hash.digest('hex')];
      previous = hmac(key, toSign.join('\n')).toString('hex');
      if (!sameSignature(header[2] ?? '', previous)) throw new S3Error('SignatureDoesNotMatch');
    }
    if (size === 0) return previous;
    if ((await reader.line()) !== '') throw new S3Error('IncompleteBody', 'A chunk of the body is malformed');
  }
}

async function readTrailers(
  reader: LineReader,
  rule: { trailer: boolean; chain?: SignatureChain },
  previous: string,
  trailers: Map<string, string>,
): Promise<void> {
  let signed = '';
  for (let line = await reader.lastLine(); line !== ''; line = await reader.lastLine()) {
    const colon = line.indexOf(':');
    if (!rule.trailer || colon < 1 || trailers.size > MAX_TRAILERS) {
      throw new S3Error('IncompleteBody', 'The trailer of the body is malformed');
    }
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') signed += `${name}:${value}\n`;
  }
  if (rule.chain && rule.trailer) {
    const { key, date, scope } = rule.chain;
    const toSign = ['AWS4-HMAC-SHA256-TRAILER', date, scope, previous, sha256Hex(signed)].join('\n');
    const expected = hmac(key, toSign).toString('hex');
    if (!sameSignature(trailers.get('x-amz-trailer-signature') ?? '', expected)) {
      throw new S3Error('SignatureDoesNotMatch');
    }
  }
}

type LineReader = ReturnType<typeof lineReader>;

/** Reads lines and counted bytes from a stream, holding no more than one piece of it. */
function lineReader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const next = await pieces.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return true;
  }

  async function lineOrEnd(): Promise<string | undefined> {
    for (;;) {
      const end = rest.indexOf('\n');
      if (end !== -1) {
        const text = rest.toString('latin1', 0, end);
        rest = rest.subarray(end + 1);
        return text.endsWith('\r') ? text.slice(0, -1) : text;
      }
      if (rest.length > MAX_LINE_BYTES) throw new S3Error('IncompleteBody', 'A line of the body is too long');
      if (!(await more())) return undefined;
    }
  }

  return {
    async line(): Promise<string> {
      const text = await lineOrEnd();
      if (text === undefined) throw new S3Error('IncompleteBody');
      return text;
    },
    /** A trailer's line; the end of the body counts as the empty line that closes the trailers. */
    async lastLine(): Promise<string> {
      return (await lineOrEnd()) ?? '';
    },
    async close(): Promise<void> {
      await pieces.return?.();
    },
    async *take(size: number): AsyncGenerator<Buffer> {
      for (let left = size; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw new S3Error('IncompleteBody');
        const data = rest.subarray(0, left);
        rest = rest.subarray(data.length);
        left -= data.length;
        if (data.length > 0) yield data;
      }
    },
  };
}
