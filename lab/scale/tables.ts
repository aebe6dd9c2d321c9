import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import type { Figures, JobName, RequestName } from './figures';
import { databaseBytes, HABITS, type Needs, needsOf, PRICES, SIZING } from './model';

const PEOPLE = [1000, 10_000, 100_000, 1_000_000];

const REQUESTS: Record<RequestName, string> = {
  dashboard: 'dashboard',
  gallery: 'gallery',
  entry: 'entry',
  search: 'search',
  media: 'thumbnail or video',
  json: 'small JSON',
};

const JOBS: Record<JobName, string> = {
  copy: "a minute of video that's copied (H.264 in MP4): probe, thumbnail, copy, sound",
  encode: "a minute of 720p that's encoded again (VP9): the same, and H.264",
  previews: 'a minute of video: pictures and waveform on the time bar',
  speech: 'a minute of speech: words and their times',
};

/** Three significant digits, with commas in thousands. */
function number(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

const dollars = (value: number) => `$${number(value)}`;

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const requestTable = ({ requests }: Figures) =>
  table(
    ['request', 'app, CPU ms', 'Postgres, CPU ms', 'kB'],
    Object.entries(REQUESTS).map(([name, text]) => {
      const { appMs, databaseMs, kilobytes } = requests[name as RequestName];
      return [text, number(appMs), number(databaseMs), number(kilobytes)];
    }),
  );

const jobTable = ({ jobs }: Figures) =>
  table(
    ['job', 'CPU s'],
    Object.entries(JOBS).map(([name, text]) => [text, number(jobs[name as JobName])]),
  );

const minuteTable = ({ minutes: { copied, encoded } }: Figures) =>
  table(
    ['a minute of 720p, MB', 'copied (H.264, 2.5 Mbit/s)', 'encoded again (VP9, 1 Mbit/s)'],
    [
      ['uploaded', number(copied.uploaded), number(encoded.uploaded)],
      ['the video that plays', number(copied.played), number(encoded.played)],
      ['in storage, with pictures', number(copied.stored), number(encoded.stored)],
    ],
  );

const growthTable = (figures: Figures) =>
  table(
    ['what an entry adds', 'kB'],
    [
      ...figures.tables.map(({ name, bytesPerEntry }) => [`\`${name}\``, number(bytesPerEntry / 1000)]),
      ['all of it, with corrections', number(databaseBytes(figures) / 1000)],
      ['write-ahead log', number(figures.logBytesPerEntry / 1000)],
    ],
  );

const habitTable = () =>
  table(
    ['assumed', ''],
    [
      ['entries a week', `${HABITS.entries} of ${HABITS.minutesPerEntry} minutes`],
      ['encoded again', `${HABITS.encodedShare * 100}%`],
      ['corrected', `${HABITS.correctedShare * 100}%`],
      ['minutes watched a week', `${HABITS.minutesWatched}`],
      [
        'requests a week',
        Object.entries(HABITS.requests)
          .map(([name, count]) => `${REQUESTS[name as RequestName]} ${count}`)
          .join(', '),
      ],
      ['busiest hour', `${SIZING.peak} times the mean`],
      [
        'how busy cores are then',
        Object.entries(SIZING.utilization)
          .map(([name, share]) => `${name} ${share * 100}%`)
          .join(', '),
      ],
      [
        'US dollars a month',
        `core ${PRICES.core}, database core with standby ${PRICES.databaseCore}, GB in the database ${PRICES.databaseGigabyte}, GB in storage ${PRICES.storageGigabyte}, GB delivered ${PRICES.deliveredGigabyte}`,
      ],
    ],
  );

function needsTable(figures: Figures): string {
  const all = PEOPLE.map((people) => needsOf(people, figures));
  const row = (name: string, of: (needs: Needs) => string) => [name, ...all.map(of)];
  const total = ({ cost }: Needs) => Object.values(cost).reduce((sum, one) => sum + one, 0);
  return table(
    ['people who keep a journal', ...PEOPLE.map((people) => people.toLocaleString('en-US'))],
    [
      row('requests a second, busiest hour', (it) => number(it.requestsPerSecond)),
      row('uploads a minute, busiest hour', (it) => number(it.uploadsPerMinute)),
      row('web cores', (it) => number(it.webCores)),
      row('database cores', (it) => number(it.databaseCores)),
      row('worker cores', (it) => number(it.workerCores)),
      row('database after a year, GB', (it) => number(it.databaseGigabytes)),
      row('write-ahead log a day, GB', (it) => number(it.logGigabytes)),
      row('storage after a year, TB', (it) => number(it.storageTerabytes)),
      row('delivered a month, TB', (it) => number(it.deliveredTerabytes)),
      row('web a month', (it) => dollars(it.cost.web)),
      row('database a month', (it) => dollars(it.cost.database)),
      row('workers a month', (it) => dollars(it.cost.workers)),
      row('storage a month, after a year', (it) => dollars(it.cost.storage)),
      row('a person a month, after a year', (it) => dollars(total(it) / it.people)),
    ],
  );
}

/** Returns what stands between the markers of `lab/reports/scale.md`, by their names. */
export function scaleTables(figures: Figures): Record<string, string> {
  return {
    measured: [
      `Measured on ${figures.date} with ${figures.machine}.`,
      requestTable(figures),
      jobTable(figures),
      growthTable(figures),
      minuteTable(figures),
    ].join('\n\n'),
    assumed: habitTable(),
    needed: needsTable(figures),
  };
}

const PAGE = join(projectRoot, 'lab', 'reports', 'scale.md');
const FIGURES = join(projectRoot, 'lab', 'reports', 'scale.json');

export const readFigures = (): Figures => JSON.parse(readFileSync(FIGURES, 'utf8'));

export function writeFigures(figures: Figures): void {
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
}

/** Returns the page with its tables replaced. @throws Error if it lacks a marker */
export function fillPage(page: string, figures: Figures): string {
  return Object.entries(scaleTables(figures)).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`lab/reports/scale.md has no ${start} or ${end}.`);
    return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
  }, page);
}

/** Rewrites the tables of `lab/reports/scale.md`. */
export function writePage(figures: Figures): void {
  writeFileSync(PAGE, fillPage(readFileSync(PAGE, 'utf8'), figures));
}
