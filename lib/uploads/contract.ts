import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { entryDate, entryStatus } from '@/lib/entries/contract';

/** One file on every plan, in bytes. */
export const MAX_FILE_BYTES = 4_000_000_000;

/** What is larger is sent in parts of this many bytes, all but the last one equal: 8 MiB. */
export const PART_BYTES = 8_388_608;

const MAX_PARTS = Math.ceil(MAX_FILE_BYTES / PART_BYTES);

/** Visible ASCII and spaces: all that a media type may have (RFC 9110, 8.3.1), and all that a header carries as it is. */
const PRINTABLE = /^[\x20-\x7e]*$/;

const file = {
  file_name: text(255, 'The file needs a name.'),
  content_type: z
    .string('The file needs a type.')
    .max(200, 'Please upload a video file.')
    .regex(PRINTABLE, 'Please upload a video file.')
    .toLowerCase(),
};
const description = { title: text(200, 'Must have a title.'), journal_date: entryDate };
const bytes = z.int('Enter the size in bytes.').min(1, 'This file is empty.');
/** An MD5 in base64, as Content-MD5 has it (RFC 1864). */
const md5 = z.string().regex(/^[A-Za-z0-9+/]{22}==$/, 'This checksum isn’t valid. Upload the file again.');
const partNumber = z.int().min(1).max(MAX_PARTS);

export const presignedUrl = operation({
  method: 'GET',
  path: '/presigned_url',
  summary: 'Reserve space for a video, and get the URL and form fields to upload it with.',
  access: 'verified',
  changesState: true,
  query: z.object({
    ...description,
    ...file,
    size: z.coerce.number('Enter the size in bytes.').int().min(1, 'This file is empty.').optional(),
  }),
  response: z.object({
    presignedData: z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }),
    metadata: z.object({ entryId: z.string() }),
  }),
  errors: ['validation_failed', 'unsupported_media_type', 'too_large', 'quota_reached'],
});

export const completeUpload = operation({
  method: 'GET',
  path: '/entry/:id/upload/complete',
  summary: 'Mark an upload complete and start processing it. Calling it again has no effect.',
  access: 'verified',
  changesState: true,
  params: z.object({ id }),
  response: z.object({ id: z.string(), status: entryStatus }),
  errors: ['not_found', 'upload_missing'],
});

export const openUpload = operation({
  method: 'POST',
  path: '/uploads',
  summary:
    'Start an upload in parts and reserve space for it, or find the one already started with the same client_id.',
  access: 'verified',
  body: z.object({
    /** Made by the client for one upload: repeating the request takes no second slot. */
    client_id: z.uuid(),
    ...file,
    /** Left out while a recording is being made; room is then taken part by part. */
    size: bytes.optional(),
    title: description.title.optional(),
    journal_date: entryDate.optional(),
  }),
  status: 201,
  response: z.object({ entryId: z.string(), partSize: z.int() }),
  errors: [
    'validation_failed',
    'unsupported_media_type',
    'too_large',
    'quota_reached',
    'conflict',
    'not_found',
  ],
});

export const signParts = operation({
  method: 'POST',
  path: '/entry/:id/upload/parts',
  summary: 'Get signed URLs to PUT parts to. Each accepts only the bytes that match its Content-MD5.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    parts: z.array(z.object({ number: partNumber, size: bytes.max(PART_BYTES), md5 })).max(8),
  }),
  response: z.object({ parts: z.array(z.object({ number: z.int(), url: z.string() })) }),
  errors: ['validation_failed', 'not_found', 'conflict', 'too_large', 'quota_reached'],
});

export const getUpload = operation({
  method: 'GET',
  path: '/entry/:id/upload',
  summary: 'Get which parts of an upload storage has received.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({
    /** The video is whole; `size` and `etag` are then the object's. */
    complete: z.boolean(),
    /** Bytes; null while nobody knows. */
    size: z.int().nullable(),
    /** Storage's checksum: in most buckets the MD5, or that of the parts' MD5s and their number (`…-36`). */
    etag: z.string().nullable(),
    /** `md5` is null where storage has another kind of checksum. */
    parts: z.array(z.object({ number: z.int(), size: z.int(), md5: md5.nullable() })),
  }),
  errors: ['not_found'],
});
export type UploadState = z.infer<typeof getUpload.response>;

export const finishUpload = operation({
  method: 'POST',
  path: '/entry/:id/upload/complete',
  summary: 'Assemble the uploaded parts and start processing the video. Calling it again has no effect.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    ...description,
    /** Bytes of the whole. */
    size: bytes,
    /** The MD5 of each part, in order. */
    parts: z.array(md5).max(MAX_PARTS),
  }),
  response: completeUpload.response,
  errors: ['validation_failed', 'not_found', 'upload_missing'],
});

export const abortUpload = operation({
  method: 'DELETE',
  path: '/entry/:id/upload',
  summary: 'Cancel an unfinished upload, free its space, and delete the parts received so far.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found', 'conflict'],
});
