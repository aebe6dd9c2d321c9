import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { archivedTranscript } from '@/lib/journal/transcripts/contract';

/** What reading a file of one's own entry has in common. */
const ofEntry = {
  method: 'GET',
  access: 'verified',
  params: z.object({ id }),
  errors: ['not_found'],
} as const;

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
  ...ofEntry,
  path: '/entry/:id/downloads',
  summary: 'List an entry’s downloads',
  description:
    'Returns the files that exist: the video as it was uploaded, the one that plays in every browser, and the transcript in four formats.',
  response: z.object({ downloads: z.array(download) }).meta({ id: 'Downloads' }),
});

export const getOriginal = operation({
  ...ofEntry,
  path: '/entry/:id/original',
  summary: 'Download the original video',
  description:
    'Redirects to a signed storage URL of the video as it was uploaded, in whatever format that is. Supports range requests, and works whether or not the video could be processed.',
  produces: 'the type of the uploaded video',
  status: 307,
});

export const downloadVideo = operation({
  ...ofEntry,
  path: '/entry/:id/video/download',
  summary: 'Download the playable video',
  description:
    'Redirects to a signed storage URL of the final MP4, to be saved to a file. Supports range requests.',
  produces: 'video/mp4',
  status: 307,
});

export const getTranscriptData = operation({
  ...ofEntry,
  path: '/entry/:id/transcript.json',
  summary: 'Get a transcript with its revisions',
  description:
    'Returns every revision, oldest first, with the time of each word and where it came from. Archives of a journal have the same files.',
  response: archivedTranscript,
  attachment: true,
});

export const getCaptions = operation({
  ...ofEntry,
  path: '/entry/:id/captions.vtt',
  summary: 'Get WebVTT captions',
  description: 'Returns the transcript as captions for a `<track>` element.',
  produces: 'text/vtt',
  attachment: true,
  producesExample: 'WEBVTT\n\n00:00:00.480 --> 00:00:01.900\nHello there.\n',
});

export const getSubtitles = operation({
  ...ofEntry,
  path: '/entry/:id/captions.srt',
  summary: 'Get SubRip captions',
  description: 'Returns the transcript as an .srt file.',
  produces: 'application/x-subrip',
  attachment: true,
  producesExample: '1\n00:00:00,480 --> 00:00:01,900\nHello there.\n',
});

export const getText = operation({
  ...ofEntry,
  path: '/entry/:id/transcript.txt',
  summary: 'Get a transcript as text',
  description: 'Returns the transcript as paragraphs of plain text.',
  produces: 'text/plain',
  attachment: true,
  producesExample: 'Hello there.\n',
});
