import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Server } from './app';
import { fetchText } from './requests';

/** Where and with which fields a form is sent, as S3 wants it. */
export interface PresignedForm {
  url: string;
  fields: Record<string, string>;
}

/** What is sent: so many bytes. */
export interface UploadContent {
  size: number;
  open(): Readable;
}

export async function fileContent(path: string): Promise<UploadContent> {
  return { size: (await stat(path)).size, open: () => createReadStream(path) };
}

/** Random bytes, in equal pieces of 1 MB that cost nothing to make. */
export function randomContent(megabytes: number): UploadContent {
  const piece = randomBytes(1_000_000);
  return {
    size: megabytes * piece.length,
    open: () => Readable.from(Array.from({ length: megabytes }, () => piece)),
  };
}

/** Reserves an entry for a video of today. @returns its id and where to send it */
export async function reserve(
  app: Server,
  cookie: string,
  size: number,
): Promise<{ entryId: string; form: PresignedForm }> {
  const query = new URLSearchParams({
    title: 'Measured',
    journal_date: new Date().toISOString().slice(0, 10),
    file_name: 'measured.mp4',
    content_type: 'video/mp4',
    size: String(size),
  });
  const answer = await fetchText({ url: `${app.url}/api/v1/presigned_url?${query}`, cookie });
  const { presignedData, metadata } = JSON.parse(answer);
  return { entryId: metadata.entryId, form: presignedData };
}

/** Sends a form with a file (RFC 7578), as a browser does. @throws Error unless the answer is a 2xx */
export async function sendForm({ url, fields }: PresignedForm, content: UploadContent): Promise<void> {
  const boundary = `----bench${randomBytes(12).toString('hex')}`;
  const field = ([name, value]: [string, string]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${Object.entries(fields).map(field).join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="measured.mp4"\r\nContent-Type: video/mp4\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + content.size + tail.length,
  };
  const sent = request(url, { method: 'POST', headers });
  const answered = new Promise<void>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      const good = Math.floor((response.statusCode ?? 0) / 100) === 2;
      response
        .resume()
        .once('end', () => (good ? resolve() : reject(new Error(`answers ${response.statusCode}`))));
    });
  });
  async function* body() {
    yield head;
    yield* content.open();
    yield tail;
  }
  await Promise.all([answered, pipeline(body, sent)]);
}
