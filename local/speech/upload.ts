import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';

/** OpenAI's limit for one file, in bytes. */
const largestFile = 25 * 1024 * 1024;

/** A refused request, with the fields of OpenAI's errors. */
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

export type Upload = { path: string; language: string | undefined };

/**
 * Streams the file of a multipart request into `directory` and reads its fields.
 *
 * @throws Refusal 400 for a malformed or unsupported request, 413 for a file over 25 MB.
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
      // Awaited below. Until then, a cut connection must not be an unhandled rejection.
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
  const format = fields.get('response_format')?.[0] ?? 'json';
  if (format !== 'verbose_json') {
    throw new Refusal(400, `response_format '${format}' isn't supported.`, 'response_format');
  }
  const granularities = fields.get('timestamp_granularities[]')?.toSorted().join() ?? '';
  if (granularities !== 'segment,word') {
    throw new Refusal(
      400,
      "timestamp_granularities must be 'word' and 'segment'.",
      'timestamp_granularities',
    );
  }
  return { language: fields.get('language')?.[0] || undefined };
}
