export interface KindDetails {
  /** What it's a number of: one, or any other number. */
  counted: [one: string, many: string];
  /** What's wrong with them. It follows the number. */
  is: string;
  /** What `--repair` does about them. It follows that word. */
  repair?: string;
  /** What to do about those that aren't repaired. */
  todo?: string;
  /** Nothing is wrong, but an operator may want to know. */
  isNote?: boolean;
  /** The operator needs every id, not just a few. */
  listsAll?: boolean;
}

const RESTORE = 'Restore these files from a backup of the bucket. Without one, tell their owners.';

/** Everything that the comparison can find, by the check that it's printed with. */
export const KINDS = {
  Files: {
    'entry-lost': {
      counted: ['entry has', 'entries have'],
      is: 'neither its original nor a copy that plays in storage.',
      todo: RESTORE,
    },
    'original-lost': {
      counted: [
        'entry plays, but storage has lost its original.',
        'entries play, but storage has lost their originals.',
      ],
      is: '',
      todo: `${RESTORE} (Daylight itself deletes an original that was replaced after its upload.)`,
    },
    'original-changed': {
      counted: ['original isn’t', 'originals aren’t'],
      is: 'what was uploaded: storage has another file under the key.',
      todo: RESTORE,
    },
    'copy-lost': {
      counted: ['entry lacks', 'entries lack'],
      is: 'a video, small video, thumbnail, or storyboard.',
      repair: 'recreates them',
      todo: 'A thumbnail needs the original. Restore that first, then run this again.',
    },
    'etag-changed': {
      counted: ['original has', 'originals have'],
      is: 'a different ETag than after its upload, as happens when a bucket is copied or restored.',
      repair: 'records the new ETags',
      todo: 'Storage’s file differs from the upload, or can’t be compared with it. Restore it from a backup.',
    },
    'export-lost': {
      counted: ['archive for download is', 'archives for download are'],
      is: 'missing in storage, or incomplete.',
      repair: 'marks them as failed, so that their owners can prepare them again',
    },
    'video-unowned': {
      counted: ['folder in storage has a video', 'folders in storage have videos'],
      is: 'that no entry refers to, more than a day old.',
      todo:
        'If the database was restored from an older backup, these are the only copies. Copy them before you delete them: ' +
        '--repair --delete-many deletes all of them.',
      listsAll: true,
    },
    'object-unowned': {
      counted: ['folder without a video belongs', 'folders without a video belong'],
      is: 'to no entry or archive, and is more than a day old.',
      repair: 'deletes them',
    },
    'object-leftover': {
      counted: ['temporary file of an entry is', 'temporary files of entries are'],
      is: 'no longer needed.',
      repair: 'deletes them',
      todo: 'A job is working on those entries. Run this again later.',
    },
    'object-unknown': {
      counted: ['object in storage has', 'objects in storage have'],
      is: 'a key that this version of Daylight doesn’t use. It won’t delete them.',
      isNote: true,
    },
  },
  Uploads: {
    'upload-unowned': {
      counted: ['unfinished multipart upload belongs', 'unfinished multipart uploads belong'],
      is: 'to nothing, and started more than a day ago.',
      repair: 'aborts them',
    },
    'upload-silent': {
      counted: ['upload has', 'uploads have'],
      is: 'been silent for more than a day, and still reserves space.',
      repair: 'gives the space back',
      todo: 'The app does this every two minutes. Check that its jobs run.',
    },
  },
  'Storage use': {
    'size-wrong': {
      counted: ['entry counts', 'entries count'],
      is: 'with a different size than its original in storage.',
      repair: 'records the real sizes',
    },
    'use-wrong': {
      counted: ['account’s use differs', 'accounts’ use differs'],
      is: 'from what storage has of it.',
      repair: 'corrects it along with the sizes',
      todo: 'It follows from what’s listed above.',
    },
    'text-miscounted': {
      counted: ['entry has', 'entries have'],
      is: 'wrong counts of their text, by which accounts reach its limit.',
      repair: 'counts it again',
    },
  },
  'Unfinished work': {
    'job-gone': {
      counted: ['job hasn’t', 'jobs haven’t'],
      is: 'been heard of for an hour, though the job service could run it.',
      repair: 'starts them again',
      todo: 'The app does this every two minutes. Check that it runs, that Inngest knows it, and that ffmpeg works.',
    },
    'job-missing': {
      counted: ['entry waits', 'entries wait'],
      is: 'for a job that was never recorded.',
      repair: 'records it, and it starts within minutes',
    },
    'job-ended': {
      counted: ['job still looks', 'jobs still look'],
      is: 'as if it were running, but there’s nothing left to do.',
      repair: 'ends them',
    },
    'event-useless': {
      counted: ['waiting event is', 'waiting events are'],
      is: 'about an entry that’s gone.',
      repair: 'deletes them',
    },
    'outbox-dead': {
      counted: ['email or event was', 'emails or events were'],
      is: 'permanently rejected.',
      todo:
        'The log says why. Once you’ve fixed that, have them sent again with this SQL: ' +
        'update outbox set dead = false where dead',
    },
    'outbox-expired': {
      counted: ['rejected email is', 'rejected emails are'],
      is: 'more than 30 days old and can’t be sent anymore.',
      repair: 'deletes them',
    },
    'outbox-late': {
      counted: ['email or event has', 'emails or events have'],
      is: 'been waiting for more than an hour.',
      todo: 'The app sends them every two minutes. Check that it runs, and that the checks above pass.',
    },
    'erasure-late': {
      counted: ['account is', 'accounts are'],
      is: 'still being erased, more than a day after that started.',
      todo: 'The app tries again every two minutes. Its log says what keeps it from finishing: “accounts: erasure: failed”.',
    },
  },
  'Search index': {
    'search-stale': {
      counted: ['entry is', 'entries are'],
      is: 'out of date in the search index.',
      repair: 'indexes them again',
    },
    'counts-wrong': {
      counted: ['account has', 'accounts have'],
      is: 'wrong counts of entries, days, or words.',
      repair: 'counts them again',
    },
  },
} satisfies Record<string, Record<string, KindDetails>>;

type Kinds = typeof KINDS;
/** The checks of the comparison. */
export type DataCheck = keyof Kinds;
export type FindingKind = { [Check in DataCheck]: keyof Kinds[Check] }[DataCheck];

/** The checks in the order they're printed. */
export const DATA_CHECKS = Object.keys(KINDS) as DataCheck[];
