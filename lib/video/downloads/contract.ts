import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { archivedTranscript } from '@/lib/journal/transcripts/contract';

const one = z.object({ id });

const download = z
  .object({
    kind: z.enum(['original', 'video', 'text', 'vtt', 'srt', 'json']).meta({ example: 'original' }),
    url: z.string().meta({
      format: 'uri-reference',
      example: '/api/v1/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90/original',
      description: 'Where the file is, below the site’s address.',
    }),
    fileName: z.string().meta({
      description: 'The name that it’s saved under: date, title, and extension.',
      example: '2026-03-01 A walk by the harbor.mov',
    }),
    bytes: z
      .int()
      .nullable()
      .meta({ description: 'The size of a video; null for what’s made on request.', example: 48_120_332 }),
    uploadedName: z
      .string()
      .nullable()
      .meta({ description: 'The original’s name when it was uploaded.', example: 'IMG_0042.MOV' }),
  })
  .meta({ id: 'Download' });
export type Download = z.infer<typeof download>;

export const listDownloads = operation({
  method: 'GET',
  path: '/entry/:id/downloads',
  summary: 'List an entry’s downloads',
  description:
    'Returns the files that exist: the video as it was uploaded, the one that plays in every browser, and the transcript in four formats.',
  access: 'verified',
  params: one,
  response: z.object({ downloads: z.array(download) }).meta({ id: 'Downloads' }),
  errors: ['not_found'],
});

export const getOriginal = operation({
  method: 'GET',
  path: '/entry/:id/original',
  summary: 'Download the original video',
  description:
    'Redirects to a signed storage URL of the video as it was uploaded, in whatever format that is. Supports range requests, and works whether or not the video could be processed.',
  access: 'verified',
  params: one,
  produces: 'the type of the uploaded video',
  status: 307,
  errors: ['not_found'],
});

export const downloadVideo = operation({
  method: 'GET',
  path: '/entry/:id/video/download',
  summary: 'Download the playable video',
  description:
    'Redirects to a signed storage URL of the final MP4, to be saved to a file. Supports range requests.',
  access: 'verified',
  params: one,
  produces: 'video/mp4',
  status: 307,
  errors: ['not_found'],
});

export const getTranscriptData = operation({
  method: 'GET',
  path: '/entry/:id/transcript.json',
  summary: 'Get a transcript with its revisions',
  description:
    'Returns every revision, oldest first, with the time of each word and where it came from. Archives of a journal have the same files.',
  access: 'verified',
  params: one,
  response: archivedTranscript,
  attachment: true,
  errors: ['not_found'],
});

export const getCaptions = operation({
  method: 'GET',
  path: '/entry/:id/captions.vtt',
  summary: 'Get WebVTT captions',
  description: 'Returns the transcript as captions for a `<track>` element.',
  access: 'verified',
  params: one,
  produces: 'text/vtt',
  attachment: true,
  producesExample: 'WEBVTT\n\n00:00:00.480 --> 00:00:01.900\nHello there.\n',
  errors: ['not_found'],
});

export const getSubtitles = operation({
  method: 'GET',
  path: '/entry/:id/captions.srt',
  summary: 'Get SubRip captions',
  description: 'Returns the transcript as an .srt file.',
  access: 'verified',
  params: one,
  produces: 'application/x-subrip',
  attachment: true,
  producesExample: '1\n00:00:00,480 --> 00:00:01,900\nHello there.\n',
  errors: ['not_found'],
});

export const getText = operation({
  method: 'GET',
  path: '/entry/:id/transcript.txt',
  summary: 'Get a transcript as text',
  description: 'Returns the transcript as paragraphs of plain text.',
  access: 'verified',
  params: one,
  produces: 'text/plain',
  attachment: true,
  producesExample: 'Hello there.\n',
  errors: ['not_found'],
});
