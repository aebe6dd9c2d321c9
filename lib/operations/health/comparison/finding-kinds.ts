/** Checks of the comparison, in the order they're printed. */
export const DATA_CHECKS = ['Files', 'Uploads', 'Storage use', 'Unfinished work', 'Search index'] as const;
export type DataCheck = (typeof DATA_CHECKS)[number];

export interface KindDetails {
  check: DataCheck;
  /** What it's a number of. */
  one: string;
  many: string;
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

/** Everything that the comparison can find. */
export const KINDS = {
  'entry-lost': {
    check: 'Files',
    one: 'entry has',
    many: 'entries have',
    is: 'neither its original nor a copy that plays in storage.',
    todo: RESTORE,
  },
  'original-lost': {
    check: 'Files',
    one: 'entry plays, but storage has lost its original.',
    many: 'entries play, but storage has lost their originals.',
    is: '',
    todo: `${RESTORE} (Daylight itself deletes an original that was replaced after its upload.)`,
  },
  'original-changed': {
    check: 'Files',
    one: 'original isn’t',
    many: 'originals aren’t',
    is: 'what was uploaded: storage has another file under the key.',
    todo: RESTORE,
  },
  'copy-lost': {
    check: 'Files',
    one: 'entry lacks',
    many: 'entries lack',
    is: 'a video, thumbnail, or storyboard.',
    repair: 'recreates them',
    todo: 'A thumbnail needs the original. Restore that first, then run this again.',
  },
  'etag-changed': {
    check: 'Files',
    one: 'original has',
    many: 'originals have',
    is: 'a different ETag than after its upload, as happens when a bucket is copied or restored.',
    repair: 'records the new ETags',
    todo: 'Storage’s file differs from the upload, or can’t be compared with it. Restore it from a backup.',
  },
  'export-lost': {
    check: 'Files',
    one: 'archive for download is',
    many: 'archives for download are',
    is: 'missing in storage, or incomplete.',
    repair: 'marks them as failed, so that their owners can prepare them again',
  },
  'video-unowned': {
    check: 'Files',
    one: 'folder in storage has a video',
    many: 'folders in storage have videos',
    is: 'that no entry refers to, more than a day old.',
    todo:
      'If the database was restored from an older backup, these are the only copies. Copy them before you delete them: ' +
      '--repair --delete-many deletes all of them.',
    listsAll: true,
  },
  'object-unowned': {
    check: 'Files',
    one: 'folder without a video belongs',
    many: 'folders without a video belong',
    is: 'to no entry or archive, and is more than a day old.',
    repair: 'deletes them',
  },
  'object-leftover': {
    check: 'Files',
    one: 'temporary file of an entry is',
    many: 'temporary files of entries are',
    is: 'no longer needed.',
    repair: 'deletes them',
    todo: 'A job is working on those entries. Run this again later.',
  },
  'object-unknown': {
    check: 'Files',
    one: 'object in storage has',
    many: 'objects in storage have',
    is: 'a key that this version of Daylight doesn’t use. It won’t delete them.',
    isNote: true,
  },
  'upload-unowned': {
    check: 'Uploads',
    one: 'unfinished multipart upload belongs',
    many: 'unfinished multipart uploads belong',
    is: 'to nothing, and started more than a day ago.',
    repair: 'aborts them',
  },
  'upload-silent': {
    check: 'Uploads',
    one: 'upload has',
    many: 'uploads have',
    is: 'been silent for more than a day, and still reserves space.',
    repair: 'gives the space back',
    todo: 'The app does this every two minutes. Check that its jobs run.',
  },
  'size-wrong': {
    check: 'Storage use',
    one: 'entry counts',
    many: 'entries count',
    is: 'with a different size than its original in storage.',
    repair: 'records the real sizes',
  },
  'use-wrong': {
    check: 'Storage use',
    one: 'account’s use differs',
    many: 'accounts’ use differs',
    is: 'from what storage has of it.',
    repair: 'corrects it along with the sizes',
    todo: 'It follows from what’s listed above.',
  },
  'text-miscounted': {
    check: 'Storage use',
    one: 'entry has',
    many: 'entries have',
    is: 'wrong counts of their text, by which accounts reach its limit.',
    repair: 'counts it again',
  },
  'job-gone': {
    check: 'Unfinished work',
    one: 'job hasn’t',
    many: 'jobs haven’t',
    is: 'been heard of for an hour, though the job service could run it.',
    repair: 'starts them again',
    todo: 'The app does this every two minutes. Check that it runs, that Inngest knows it, and that ffmpeg works.',
  },
  'job-missing': {
    check: 'Unfinished work',
    one: 'entry waits',
    many: 'entries wait',
    is: 'for a job that was never recorded.',
    repair: 'records it, and it starts within minutes',
  },
  'job-ended': {
    check: 'Unfinished work',
    one: 'job still looks',
    many: 'jobs still look',
    is: 'as if it were running, but there’s nothing left to do.',
    repair: 'ends them',
  },
  'event-useless': {
    check: 'Unfinished work',
    one: 'waiting event is',
    many: 'waiting events are',
    is: 'about an entry that’s gone.',
    repair: 'deletes them',
  },
  'outbox-dead': {
    check: 'Unfinished work',
    one: 'email or event was',
    many: 'emails or events were',
    is: 'permanently rejected.',
    todo:
      'The log says why. Once you’ve fixed that, have them sent again with this SQL: ' +
      'update outbox set dead = false where dead',
  },
  'outbox-expired': {
    check: 'Unfinished work',
    one: 'rejected email is',
    many: 'rejected emails are',
    is: 'more than 30 days old and can’t be sent anymore.',
    repair: 'deletes them',
  },
  'outbox-late': {
    check: 'Unfinished work',
    one: 'email or event has',
    many: 'emails or events have',
    is: 'been waiting for more than an hour.',
    todo: 'The app sends them every two minutes. Check that it runs, and that the checks above pass.',
  },
  'erasure-late': {
    check: 'Unfinished work',
    one: 'account is',
    many: 'accounts are',
    is: 'still being erased, more than a day after that started.',
    todo: 'The app tries again every two minutes. Its log says what keeps it from finishing: “accounts: erasure: failed”.',
  },
  'search-stale': {
    check: 'Search index',
    one: 'entry is',
    many: 'entries are',
    is: 'out of date in the search index.',
    repair: 'indexes them again',
  },
  'counts-wrong': {
    check: 'Search index',
    one: 'account has',
    many: 'accounts have',
    is: 'wrong counts of entries, days, or words.',
    repair: 'counts them again',
  },
} satisfies Record<string, KindDetails>;

export type FindingKind = keyof typeof KINDS;
