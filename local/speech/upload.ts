import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { type Granularity, type ResponseFormat, responseFormats } from './answer';

/** OpenAI's limit for one file, in bytes. */
const largestFile = 25 * 1024 * 1024;

/** A request that is refused, as OpenAI words it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly param: string | null = null,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

export type Upload = {
  path: string;
  format: ResponseFormat;
  granularities: Granularity[];
  language: string | undefined;
};

/**
 * Streams the file of a multipart request into `directory` and reads its fields.
 *
 * @throws Refusal 400 for a malformed request, 413 for a file beyond 25 MB.
 */
export async function receiveUpload(request: IncomingMessage, directory: string): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > largestFile + 64 * 1024) throw tooLarge();
  const path = join(directory, 'upload');
  const fields = new Map<string, string[]>();
  let stored: Promise<void> | undefined;
  let truncated = false;
  try {
    const form = busboy({
      headers: request.headers,
      limits: { files: 1, fileSize: largestFile, fields: 20 },
    });
    form.on('field', (name, value) => fields.set(name, [...(fields.get(name) ?? []), value]));
    form.on('file', (name, stream) => {
      if (name !== 'file') {
        stream.resume();
        return;
      }
      stream.on('limit', () => {
        truncated = true;
      });
      stored = pipeline(stream, createWriteStream(path, { mode: 0o600 }));
      // Awaited below; until then a cut connection must not count as unhandled.
      stored.catch(() => {});
    });
    await pipeline(request, form);
    await stored;
  } catch (cause) {
    throw new Refusal(400, `The multipart body could not be read: ${(cause as Error).message}.`);
  }
  if (truncated) throw tooLarge();
  if (!stored) throw new Refusal(400, 'A file is required.', 'file');
  return { path, ...readFields(fields) };
}

function tooLarge(): Refusal {
  return new Refusal(413, `The file is larger than the limit of ${largestFile} bytes.`, 'file');
}

function readFields(fields: Map<string, string[]>): Omit<Upload, 'path'> {
  if (!fields.get('model')?.[0]) throw new Refusal(400, 'You must provide a model parameter.', 'model');
  const wanted = fields.get('response_format')?.[0] ?? 'json';
  const format = responseFormats.find((name) => name === wanted);
  if (!format) throw new Refusal(400, `response_format '${wanted}' is not supported.`, 'response_format');
  const granularities = fields.get('timestamp_granularities[]') ?? [];
  if (!granularities.every((name) => name === 'word' || name === 'segment')) {
    throw new Refusal(400, "timestamp_granularities are 'word' and 'segment'.", 'timestamp_granularities');
  }
  return { format, granularities, language: fields.get('language')?.[0] || undefined };
}
