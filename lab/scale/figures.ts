/** Everything that `npm run lab -- scale` measures, as stored in `lab/reports/scale.json`. */
export interface Figures {
  /** The day of the measurement, `YYYY-MM-DD`. */
  date: string;
  /** The processor, as the kernel names it, and the versions that matter. */
  machine: string;
  requests: Record<RequestName, RequestFigure>;
  /** Processor seconds of jobs for each minute of video or speech. */
  jobs: Record<JobName, number>;
  /** Of a minute of 720p: H.264 at 2.5 Mbit/s, as Chromium records it, and VP9 at 1 Mbit/s. */
  minutes: Record<'copied' | 'encoded', MinuteFigure>;
  /** Bytes in the database, indexes included, for each entry of {@link WORDS} words. */
  tables: { name: string; bytesPerEntry: number }[];
  /** Bytes of write-ahead log for each entry that's saved with its transcript. */
  logBytesPerEntry: number;
}

export type RequestName = 'dashboard' | 'gallery' | 'entry' | 'search' | 'media' | 'json';

/** What one kind of request costs. */
export interface RequestFigure {
  /** Milliseconds of processor time in the app, and in Postgres. */
  appMs: number;
  databaseMs: number;
  kilobytes: number;
}

/** Megabytes of a minute of video. */
export interface MinuteFigure {
  uploaded: number;
  /** The video that plays. */
  played: number;
  /** All that's in storage in the end. */
  stored: number;
}

export type JobName = 'copy' | 'encode' | 'previews' | 'speech';

/** Words of a measured entry: five minutes of speech. */
export const WORDS = 700;
