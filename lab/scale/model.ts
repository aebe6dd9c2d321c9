import type { Figures, MinuteFigure, RequestName } from './figures';

/** What somebody who keeps a journal does in a week. Assumed, not measured. */
export const HABITS = {
  entries: 3,
  minutesPerEntry: 5,
  /** The share of entries that aren't H.264 in MP4: recorded in Firefox, or HEVC from a phone. */
  encodedShare: 0.3,
  /** How many entries are corrected, each of which adds a revision of the transcript. */
  correctedShare: 0.3,
  minutesWatched: 10,
  /** An upload's own requests are in `json`. */
  requests: { dashboard: 5, gallery: 6, entry: 8, search: 6, media: 40, json: 80 } as Record<
    RequestName,
    number
  >,
};

/** How servers are sized. */
export const SIZING = {
  /** An evening's busiest hour over the week's mean, if everybody lives in one time zone. */
  peak: 4,
  /** How busy cores are in that hour: the site must answer at once, and jobs may wait a little. */
  utilization: { web: 0.5, database: 0.4, workers: 0.8 },
};

/** US dollars a month. Replace them with yours. */
export const PRICES = {
  core: 25,
  /** A core of a managed database, with a standby. */
  databaseCore: 120,
  /** Replicated, and with a week of backups. */
  databaseGigabyte: 0.35,
  storageGigabyte: 0.015,
  /** 0 where storage doesn't charge for traffic, as Cloudflare R2; 0.05 to 0.09 elsewhere. */
  deliveredGigabyte: 0,
};

const WEEK_SECONDS = 7 * 24 * 3600;
const WEEKS_PER_YEAR = 52;
const WEEKS_PER_MONTH = WEEKS_PER_YEAR / 12;

export interface Needs {
  people: number;
  requestsPerSecond: number;
  uploadsPerMinute: number;
  webCores: number;
  databaseCores: number;
  workerCores: number;
  /** After a year, in GB. */
  databaseGigabytes: number;
  storageTerabytes: number;
  /** Of traffic out of storage, a month. */
  deliveredTerabytes: number;
  /** Of write-ahead log a day. */
  logGigabytes: number;
  /** US dollars a month, after a year. */
  cost: { web: number; database: number; workers: number; storage: number; traffic: number };
}

/** Returns the mean of what's copied and what's encoded again. */
const average = (copied: number, encoded: number): number =>
  encoded * HABITS.encodedShare + copied * (1 - HABITS.encodedShare);

/** Processor seconds of jobs for a minute of video, of an average entry. */
const jobSecondsPerMinute = ({ jobs }: Figures): number =>
  jobs.previews + jobs.speech + average(jobs.copy, jobs.encode);

/** Bytes of an average entry in the database, after corrections. */
export function databaseBytes({ tables }: Figures): number {
  return tables.reduce((total, { name, bytesPerEntry }) => {
    const copies = name === 'transcripts' ? 1 + HABITS.correctedShare : 1;
    return total + bytesPerEntry * copies;
  }, 0);
}

/** Returns what so many people need, all of whom keep a journal. */
export function needsOf(people: number, figures: Figures): Needs {
  const { peak, utilization } = SIZING;
  const perSecond = (perWeek: number) => (people * perWeek) / WEEK_SECONDS;
  const names = Object.keys(HABITS.requests) as RequestName[];
  const weekly = (cost: (name: RequestName) => number) =>
    names.reduce((total, name) => total + HABITS.requests[name] * cost(name), 0);
  const coresFor = (kind: 'appMs' | 'databaseMs', share: number) =>
    (perSecond(weekly((name) => figures.requests[name][kind]) / 1000) * peak) / share;
  const webCores = coresFor('appMs', utilization.web);
  const databaseCores = coresFor('databaseMs', utilization.database);
  const minutes = HABITS.entries * HABITS.minutesPerEntry;
  const workerCores = (perSecond(minutes * jobSecondsPerMinute(figures)) * peak) / utilization.workers;
  const perMinute = (kind: keyof MinuteFigure) =>
    average(figures.minutes.copied[kind], figures.minutes.encoded[kind]);
  const weeklyEntries = people * HABITS.entries;
  const storageGigabytes = (people * minutes * WEEKS_PER_YEAR * perMinute('stored')) / 1000;
  const databaseGigabytes = (weeklyEntries * WEEKS_PER_YEAR * databaseBytes(figures)) / 1e9;
  const deliveredGigabytes = (people * HABITS.minutesWatched * WEEKS_PER_MONTH * perMinute('played')) / 1000;
  return {
    people,
    requestsPerSecond: perSecond(weekly(() => 1)) * peak,
    uploadsPerMinute: perSecond(HABITS.entries) * 60 * peak,
    webCores,
    databaseCores,
    workerCores,
    databaseGigabytes,
    storageTerabytes: storageGigabytes / 1000,
    deliveredTerabytes: deliveredGigabytes / 1000,
    logGigabytes: (weeklyEntries * figures.logBytesPerEntry * (1 + HABITS.correctedShare)) / 7 / 1e9,
    cost: {
      web: webCores * PRICES.core,
      database: databaseCores * PRICES.databaseCore + databaseGigabytes * PRICES.databaseGigabyte,
      workers: workerCores * PRICES.core,
      storage: storageGigabytes * PRICES.storageGigabyte,
      traffic: deliveredGigabytes * PRICES.deliveredGigabyte,
    },
  };
}
