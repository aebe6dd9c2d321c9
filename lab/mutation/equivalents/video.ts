import type { Equivalent } from './equivalent';

/** Mutants of videos. */
export const VIDEO_EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/video/uploads/complete.ts',
    original: 'part.number === index + 1 &&\n      part.size === partSize(part.number, fileSize)',
    replacement: 'part.size === partSize(part.number, fileSize)',
    reason: 'Numbers are unique, and no part after the last has a size.',
  },
  {
    file: 'lib/video/processing/watchdog.ts',
    ...{ original: '!entry', replacement: 'false', within: '/resume/' },
    reason: 'A job goes with its entry, and one that’s gone isn’t sent again.',
  },
  {
    file: 'lib/video/uploads/parts.ts',
    ...{ original: 'eq(uploads.entryId, entryId)', replacement: 'undefined', within: '/isMultipart' },
    reason: 'Storage gives every upload an id of its own.',
  },
  {
    file: 'lib/video/processing/lease.ts',
    ...{ original: '!ended', replacement: 'false', within: '/takeLease' },
    reason: 'To ask again right away only costs more queries.',
  },
  {
    file: 'lib/video/uploads/complete.ts',
    original: '!object?.size || !hasTitle || (details && details.size !== object.size)',
    replacement: '!object?.size || !hasTitle',
    reason: 'Whoever has details has just compared the sizes.',
  },
  {
    file: 'lib/video/uploads/abandoned.ts',
    ...{ original: 'mayHaveArrived', replacement: 'undefined', within: '/markArrived' },
    reason: 'An upload without a title is a recording that’s still running, so it isn’t whole yet.',
  },
  {
    file: 'lib/video/processing/media-tool.ts',
    ...{ original: 'FFMPEG_PATH', replacement: 'true', within: '/findFfmpeg' },
    reason: 'A path that’s undefined is looked for like one that isn’t given.',
  },
  {
    file: 'lib/video/processing/process-reports.ts',
    ...{ original: 'lt', replacement: 'mutatedDrizzle.lte', within: '/reportWorker' },
    reason: 'The clock never shows the same microsecond to two requests.',
  },
  {
    file: 'lib/video/processing/watchdog.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it's written in the source
    ...{ original: '${limit}', replacement: '${limit} + 1', within: '/selectGoneJobs' },
    reason: 'What’s found is cut to the limit.',
  },
];
