import { z } from 'zod';
import { done, id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entryQuestion, entryStatus, entryTitle } from '@/lib/journal/entries/contract';
import { entryDate } from '@/lib/journal/entries/date-fields';

/** The largest file on any plan, in bytes. */
export const MAX_FILE_BYTES = 4_000_000_000;

/** Files are uploaded in parts of this many bytes (8 MiB), except for the last part. */
export const PART_BYTES = 8_388_608;

const MAX_PARTS = Math.ceil(MAX_FILE_BYTES / PART_BYTES);

/**
 * Visible ASCII and spaces: everything that a media type may contain (RFC 9110, 8.3.1) and that a header can carry
 * unchanged.
 */
const PRINTABLE = /^[\x20-\x7e]*$/;

const clientId = z.uuid().meta({
  description:
    'Made up by the client for each upload, so that repeating the request doesn’t reserve space twice.',
});

/** What a client says about a file before it sends it. */
export const declaredFile = {
  file_name: text(255, 'The file needs a name.').meta({ example: 'harbor.mp4' }),
  content_type: z
    .string('The file needs a type.')
    .max(200, 'Please upload a video file.')
    .regex(PRINTABLE, 'Please upload a video file.')
    .toLowerCase()
    .meta({ description: 'A type of video.', example: 'video/mp4' }),
};
const details = { title: entryTitle, journal_date: entryDate };
export const fileBytes = z
  .int('Enter the size in bytes.')
  .min(1, 'This file is empty.')
  .meta({ description: 'In bytes.', example: 1_048_576 });
const ENTER_SECONDS = 'Enter the length in seconds.';
const aboutSeconds = {
  description: 'In seconds, if you know it. A video that’s too long is refused.',
  example: 312.4,
};
/** Of a video whose length the client knows, so that one that's too long is refused before it's sent. */
export const fileSeconds = z.number(ENTER_SECONDS).positive(ENTER_SECONDS).meta(aboutSeconds);
/** An MD5 in base64, as in Content-MD5 (RFC 1864). */
const md5 = z
  .string()
  .regex(/^[A-Za-z0-9+/]{22}==$/, 'This checksum isn’t valid. Upload the file again.')
  .meta({ description: 'The MD5 in base64.', example: 'XUFAKrxLKna5cZ2REBfFkg==' });
const partNumber = z.int().min(1).max(MAX_PARTS).meta({ example: 1 });

const part = z
  .object({ number: partNumber, size: fileBytes.max(PART_BYTES), md5 })
  .meta({ id: 'UploadPart' });

const OPENING_ERRORS = [
  'validation_failed',
  'unsupported_media_type',
  'too_large',
  'quota_reached',
  'conflict',
  'not_found',
] as const;

export const presignedUrl = operation({
  method: 'GET',
  path: '/presigned_url',
  summary: 'Reserve an upload',
  description:
    'Reserves space for a video and returns the URL and form fields to upload it with in one piece. Where storage takes no forms, returns a URL to `PUT` to, and `size` is required. With a `client_id`, repeating the request returns the same entry with a new URL, or one that has expired if the video has arrived. Also titles a recording that was opened with this `client_id`. Such an upload may go in parts instead.',
  access: 'verified',
  changesState: true,
  query: z.object({
    ...details,
    question: entryQuestion.optional(),
    ...declaredFile,
    size: z.coerce
      .number('Enter the size in bytes.')
      .int()
      .min(1, 'This file is empty.')
      .optional()
      .meta({ maximum: MAX_FILE_BYTES, description: 'In bytes.', example: 48_120_332 }),
    duration: z.coerce.number(ENTER_SECONDS).positive(ENTER_SECONDS).optional().meta(aboutSeconds),
    client_id: clientId.optional(),
    md5: md5.optional().meta({
      description:
        'The MD5 in base64. Storage then takes only these bytes. Where you `PUT` them, send it as `Content-MD5`.',
      example: 'XUFAKrxLKna5cZ2REBfFkg==',
    }),
  }),
  response: z.object({
    presignedData: z.object({
      url: z.string().meta({ format: 'uri', example: 'https://storage.example.com/journal' }),
      fields: z.record(z.string(), z.string()).meta({
        description: 'What the form must contain before the file.',
        example: { key: 'entries/source', policy: 'eyJleHBpcmF0aW9uIjoiMjAyNiJ9' },
      }),
      method: z
        .literal('PUT')
        .optional()
        .meta({ description: 'Where storage takes no forms: `PUT` the bytes with the declared type.' }),
    }),
    metadata: z.object({ entryId: resourceId }),
  }),
  errors: OPENING_ERRORS,
});

export const completeUpload = operation({
  method: 'GET',
  path: '/entry/:id/upload/complete',
  summary: 'Complete an upload',
  description:
    'Starts processing a video that was uploaded in one piece, or in parts, which are assembled. Calling it again has no effect.',
  access: 'verified',
  changesState: true,
  params: z.object({ id }),
  response: z.object({ id: resourceId, status: entryStatus }).meta({ id: 'UploadedEntry' }),
  errors: ['not_found', 'upload_missing'],
});

/** For tabs with the previous version, which opened every upload here. The next release refuses them. */
const fromPreviousVersion = { deprecated: true, description: 'Use `GET /presigned_url` instead.' };

export const openUpload = operation({
  method: 'POST',
  path: '/uploads',
  summary: 'Start uploading a recording',
  description:
    'Opens the upload of a recording that’s still running, which is sent in parts, or finds the upload already started with the same `client_id`. Space is reserved part by part. `GET /presigned_url` gives it its title.',
  access: 'verified',
  body: z.object({
    client_id: clientId,
    ...declaredFile,
    size: fileBytes.optional().meta({ ...fromPreviousVersion, maximum: MAX_FILE_BYTES }),
    duration: fileSeconds.optional().meta(fromPreviousVersion),
    title: details.title.optional().meta(fromPreviousVersion),
    journal_date: entryDate.optional().meta(fromPreviousVersion),
  }),
  status: 201,
  response: z.object({
    entryId: resourceId,
    partSize: z.int().meta({ description: 'The bytes of every part but the last.', example: PART_BYTES }),
  }),
  errors: OPENING_ERRORS,
});

export const signParts = operation({
  method: 'POST',
  path: '/entry/:id/upload/parts',
  summary: 'Sign parts',
  description: 'Returns signed URLs to `PUT` parts to. Each accepts only the bytes that match its MD5.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    parts: z
      .array(part)
      .max(8)
      .refine(
        (parts) => new Set(parts.map(({ number }) => number)).size === parts.length,
        'Sign each part once.',
      ),
  }),
  response: z.object({
    parts: z.array(
      z.object({
        number: partNumber,
        url: z.string().meta({ format: 'uri', example: 'https://storage.example.com/journal/part' }),
      }),
    ),
  }),
  errors: ['validation_failed', 'not_found', 'conflict', 'too_large', 'quota_reached'],
});

export const getUpload = operation({
  method: 'GET',
  path: '/entry/:id/upload',
  summary: 'Get an upload',
  description: 'Returns which parts storage has received.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({
    complete: z.boolean().meta({ description: 'Whether all of the video has arrived.', example: false }),
    size: z.int().nullable().meta({ description: 'In bytes; null while unknown.', example: 48_120_332 }),
    parts: z.array(part).meta({
      description:
        'The parts received, each with the MD5 of its bytes. Empty for a video that was uploaded in one piece.',
    }),
  }),
  errors: ['not_found'],
});
export type UploadState = z.infer<typeof getUpload.response>;

export const finishUpload = operation({
  method: 'POST',
  path: '/entry/:id/upload/complete',
  summary: 'Finish an upload in parts',
  description:
    'Assembles the parts and starts processing the video, for tabs with the previous version. Use `GET` instead, which takes what’s known from the upload. Calling it again has no effect.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    ...details,
    size: fileBytes,
    parts: z.array(md5).max(MAX_PARTS).meta({ description: 'The MD5 of each part, in order.' }),
  }),
  response: completeUpload.response,
  errors: ['validation_failed', 'not_found', 'upload_missing'],
});

export const abortUpload = operation({
  method: 'DELETE',
  path: '/entry/:id/upload',
  summary: 'Cancel an upload',
  description: 'Frees the space of an unfinished upload and deletes the parts received so far.',
  access: 'verified',
  params: z.object({ id }),
  response: done,
  errors: ['not_found', 'conflict'],
});
