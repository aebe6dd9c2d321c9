import { parseArgs } from 'node:util';

/** What may be killed. */
export const VICTIMS = ['web', 'worker', 'inngest', 'storage', 'pooler'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface LoadOptions {
  /** How long people upload and services are killed. */
  minutes: number;
  people: number;
  uploads: number;
  /** What decides the schedule. The same seed gives the same one. */
  seed: number;
  kill: Victim[];
  /** How long everything may take to settle afterwards. */
  drainMinutes: number;
}

export const HELP = `Uploads videos for an hour while services are killed at random, then checks that nothing was lost or doubled.

  npm run lab -- load
  npm run lab -- load --minutes 10 --uploads 50

  --minutes N     how long people upload; 60 by default
  --people N      30 by default
  --uploads N     300 by default
  --seed N        repeats the schedule of an earlier run; random by default
  --kill LIST     what to kill, of ${VICTIMS.join(',')}; all of them by default, none with an empty list
  --drain N       how many minutes everything may take to settle afterwards; 25 by default

Needs inngest, pgbouncer, versitygw, redis-server, nginx, and ffmpeg on PATH or in REAL_SERVERS. Linux only.
The report is test-results/load/report.md. Exits with 1 if a check fails, and with 2 if the command is wrong.`;

function readCount(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number of ${least} or more.`);
  return value;
}

/** Returns what the arguments ask for; null for help. @throws Error that says what's wrong with them */
export function readOptions(args: readonly string[]): LoadOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '60' },
      people: { type: 'string', default: '30' },
      uploads: { type: 'string', default: '300' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      kill: { type: 'string', default: VICTIMS.join(',') },
      drain: { type: 'string', default: '25' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const kill = values.kill.split(',').filter(Boolean);
  const unknown = kill.find((name) => !(VICTIMS as readonly string[]).includes(name));
  if (unknown) throw new Error(`--kill doesn’t know “${unknown}”. It knows ${VICTIMS.join(', ')}.`);
  return {
    minutes: readCount('minutes', values.minutes, 1),
    // One of them has a small plan, and the others upload the rest.
    people: readCount('people', values.people, 2),
    uploads: readCount('uploads', values.uploads, 1),
    seed: readCount('seed', values.seed, 0),
    kill: kill as Victim[],
    drainMinutes: readCount('drain', values.drain, 1),
  };
}
