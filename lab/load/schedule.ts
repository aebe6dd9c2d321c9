import { seededRandom } from '@/local/demo/speech-generator';
import type { LoadOptions, Victim } from './options';

/** How an upload goes, and what has to become of it. `UPLOAD_KINDS` in uploads.ts says what. */
export type UploadKind =
  | 'copied'
  | 'silent'
  | 'transcoded'
  | 'encoded for long'
  | 'spoken'
  | 'reloaded'
  | 'unconfirmed'
  | 'unreadable'
  | 'no video'
  | 'in the trash'
  | 'deleted'
  | 'held'
  | 'refused';

export interface PlannedUpload {
  /** Unique, and how the entry is found again. */
  title: string;
  kind: UploadKind;
  /** Whose it is: the index of a person. */
  person: number;
  /** Milliseconds after the start. */
  at: number;
}

export interface PlannedKill {
  victim: Victim;
  /** Milliseconds after the start. */
  at: number;
  /** How long it stays down, in milliseconds. */
  downMs: number;
}

/** How often each kind comes up, in relation to the others. */
const WEIGHTS: [UploadKind, number][] = [
  ['copied', 30],
  ['silent', 15],
  ['transcoded', 10],
  ['encoded for long', 10],
  ['spoken', 10],
  ['reloaded', 8],
  ['unconfirmed', 4],
  ['unreadable', 5],
  ['no video', 3],
  ['in the trash', 5],
  ['deleted', 5],
];

/** One person in this many has the smallest plan and goes over it. */
const PEOPLE_PER_SMALL_PLAN = 15;
/** How many uploads each of them tries: one that's held, and more that are refused. */
const UPLOADS_PER_SMALL_PLAN = 4;

/** How many people have the smallest plan: the first ones. */
export const countSmallPlans = (people: number): number =>
  Math.min(people - 1, Math.ceil(people / PEOPLE_PER_SMALL_PLAN));

const MIN_KILL_GAP_MS = 30_000;
const MAX_KILL_GAP_MS = 90_000;
const MIN_DOWN_MS = 1000;
const MAX_DOWN_MS = 30_000;

/** Plans who uploads what and when. Each kind comes up once before any comes up again. */
export function planUploads({ minutes, people, uploads, seed }: LoadOptions): PlannedUpload[] {
  const random = seededRandom(seed);
  const lengthMs = minutes * 60_000;
  const smallPlans = countSmallPlans(people);
  const drawn = WEIGHTS.flatMap(([kind, weight]) => Array<UploadKind>(weight).fill(kind));
  const planned: Omit<PlannedUpload, 'title'>[] = [];
  for (let person = 0; person < smallPlans; person += 1) {
    const times = Array.from({ length: UPLOADS_PER_SMALL_PLAN }, () => random() * lengthMs).sort(
      (a, b) => a - b,
    );
    // What comes after a video that's held is refused.
    for (const [number, at] of times.slice(0, uploads - planned.length).entries()) {
      planned.push({ kind: number === 0 ? 'held' : 'refused', person, at });
    }
  }
  const first = WEIGHTS.map(([kind]) => kind);
  while (planned.length < uploads) {
    const kind = first.shift() ?? drawn[Math.floor(random() * drawn.length)] ?? 'copied';
    const person = smallPlans + Math.floor(random() * (people - smallPlans));
    planned.push({ kind, person, at: random() * lengthMs });
  }
  return planned
    .sort((a, b) => a.at - b.at)
    .map((upload, index) => ({ ...upload, title: `Upload ${String(index + 1).padStart(4, '0')}` }));
}

/** Plans what is killed and when: one service at a time, for the whole time. */
export function planKills({ minutes, kill, seed }: LoadOptions): PlannedKill[] {
  // Not the generator of the uploads: without kills, they stay the same.
  const random = seededRandom(seed + 1);
  const between = (least: number, most: number) => least + random() * (most - least);
  const kills: PlannedKill[] = [];
  for (let at = 0; kill.length > 0; ) {
    at += between(MIN_KILL_GAP_MS, MAX_KILL_GAP_MS);
    if (at > minutes * 60_000) break;
    const victim = kill[Math.floor(random() * kill.length)] as Victim;
    kills.push({ victim, at, downMs: between(MIN_DOWN_MS, MAX_DOWN_MS) });
  }
  return kills;
}
