/** Everything that `npm run scale` measures, as stored in `docs/scale.json`. */
export interface Figures {
  /** The day of the measurement, `YYYY-MM-DD`. */
  date: string;
  /** The processor, as the kernel names it, and the versions that matter. */
  machine: string;
  requests: RequestFigure[];
  /** Processor seconds of jobs for each minute of video or speech. */
  jobs: Record<JobName, number>;
  /** Bytes in storage for each byte that was uploaded, everything included. */
  stored: Record<'copied' | 'encoded', number>;
  /** Megabytes of a minute of 720p as the studio's browsers record it, 2.5 Mbit/s and sound. */
  megabytesPerMinute: number;
  /** Bytes in the database, indexes included, for each entry of {@link WORDS} words. */
  tables: { name: string; bytesPerEntry: number }[];
  /** Bytes of write-ahead log for each entry that's saved with its transcript. */
  logBytesPerEntry: number;
}

/** What one kind of request costs. */
export interface RequestFigure {
  name: string;
  /** Milliseconds of processor time in the app, and in Postgres. */
  appMs: number;
  databaseMs: number;
  kilobytes: number;
}

export type JobName = 'copy' | 'encode' | 'previews' | 'speech';

/** Words of a measured entry: five minutes of speech. */
export const WORDS = 700;
