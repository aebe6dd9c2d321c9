import { z } from 'zod';

// What's in an archive. Anyone may read one, years from now, so these shapes only ever grow: a change that an older
// reader would misread gets a new version. docs/archive-format.md explains them.

const moment = z.iso.datetime();
const calendarDay = z.iso.date();

/** A file in the archive. Transcripts are `archivedTranscript` of lib/journal/transcripts. */
const archivedFile = z.object({
  path: z.string().meta({ description: 'From the root of the archive, with slashes.' }),
  bytes: z.int().min(0),
  sha256: z.string().meta({ description: 'In hex.' }),
});

const archivedEntry = z.object({
  id: z.string(),
  title: z.string(),
  date: calendarDay,
  question: z.string().nullable().optional().meta({
    description: 'The question that it answers. Not in archives from before there were any.',
  }),
  createdAt: moment,
  fileName: z.string().meta({ description: 'The video’s name when it was uploaded.' }),
  contentType: z.string(),
  duration: z.number().nullable().meta({ description: 'In seconds.' }),
  width: z.int().nullable(),
  height: z.int().nullable(),
  tags: z.array(z.string()).meta({ description: 'Ids of tags.' }),
  notes: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      moment: z.number().nullable().meta({ description: 'The time in the video, in seconds.' }),
      createdAt: moment,
    }),
  ),
  original: archivedFile
    .nullable()
    .meta({ description: 'The video as it was uploaded. Null if storage has lost it.' }),
  playable: archivedFile.nullable().meta({
    description: 'A copy that every browser plays. Null if the original is one, or if there’s none.',
  }),
  thumbnail: archivedFile.nullable(),
  transcript: archivedFile
    .nullable()
    .meta({ description: 'A DaylightTranscript. Null while there is none.' }),
});
export type ArchivedEntry = z.infer<typeof archivedEntry>;

/** `daylight.json`: everything but the videos and the words. */
export const archivedJournal = z
  .object({
    format: z.literal('daylight-journal'),
    version: z.literal(1),
    exportedAt: moment,
    scope: z
      .object({ fromYear: z.int().nullable(), toYear: z.int().nullable(), selection: z.boolean() })
      .meta({ description: 'What was asked for: a range of years, a selection of entries, or everything.' }),
    profile: z
      .object({
        firstName: z.string(),
        lastName: z.string().nullable(),
        email: z.string().nullable(),
        gender: z.string().nullable(),
        dateOfBirth: calendarDay.nullable(),
        createdAt: moment.nullable(),
      })
      .meta({ description: 'Only `firstName` in a selection.' }),
    settings: z
      .object({
        plan: z.string(),
        transcriptionLanguage: z.string(),
        compressionType: z.string(),
        reminder: z
          .object({ enabled: z.boolean(), hour: z.int().min(0).max(23), timeZone: z.string().nullable() })
          .optional()
          .meta({ description: 'The daily email. Not in archives from before there were any.' }),
      })
      .nullable()
      .meta({
        description: 'What the settings page showed when the archive was made. Null in a selection.',
      }),
    vocabulary: z.array(z.string()).meta({ description: 'Words that transcripts were corrected to.' }),
    tags: z.array(z.object({ id: z.string(), name: z.string(), color: z.string() })),
    hiddenMemories: z
      .array(
        z.object({
          entry: z.string().nullable(),
          tag: z.string().nullable(),
          date: calendarDay.nullable(),
          createdAt: moment,
        }),
      )
      .meta({
        description:
          'Hidden from On This Day. Exactly one of `entry` (an id), `tag` (an id), and `date` is set.',
      }),
    entries: z.array(archivedEntry).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'DaylightJournal' });
export type ArchivedJournal = z.infer<typeof archivedJournal>;

/**
 * One month's words as the viewer loads them, since a page opened from a disk can't fetch JSON. The file
 * `viewer/data/2026-11.js` calls `daylightArchive.month('2026-11', months)`, and `viewer/data/journal.js` calls
 * `daylightArchive.journal(journal)`.
 */
export type ViewerMonth = Record<
  string,
  {
    words: [word: string, start: number, end: number][];
    /** BCP 47. */
    language: string | null;
  }
>;
