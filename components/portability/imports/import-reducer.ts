import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { KeptHandle } from './chosen-files';
import type { ClipReview, IdentifiedValues } from './clips/clip-review';
import type { ImportItem, ImportSource } from './import-source';
import type { ImportPlan } from './plan-import';

/** An entry that couldn't be imported. */
type FailedEntry = Pick<ImportItem, 'id' | 'title' | 'date'> & { reason: string };

/** What an import reads from, and what it's imported with. */
export interface ImportSession {
  account: string;
  limits: FileLimits;
  source: ImportSource;
  /** The files or folders that were chosen. Only Chromium has them. */
  handles: readonly KeptHandle[];
  /** What the user decided about each clip; null for an archive, which says that itself. */
  clips: readonly IdentifiedValues[] | null;
}

/** How far an import is. */
interface ImportProgress {
  /** Bytes of the videos sent so far, of `total`. */
  sent: number;
  total: number;
  secondsLeft: number | null;
  /** What it's waiting for. */
  waiting: UploadProblem | null;
  /** Why tags, learned words, or hidden memories couldn't be imported; null if they could. */
  journalProblem: string | null;
  /** The entry whose video is being sent, or was being sent last. */
  openEntry: string | null;
  /** The server's id of the import, once it has started. */
  importId: string | null;
}

/** This page's import. */
export interface ImportState extends ImportProgress {
  /**
   * `interrupted`: an import of an earlier visit can go on with its files. `reading`: looking into the files. `review`: clips
   * wait for the user to look at them. `ready`: the plan can be started. `paused`: by the user, or because of
   * `problem`.
   */
  phase: 'idle' | 'interrupted' | 'reading' | 'review' | 'ready' | 'running' | 'paused' | 'done';
  /** The name of the file or the folder. */
  name: string;
  /** How many files have been looked into, and of how many; null unless there are many. */
  reading: { step: 'files' | 'duplicates'; done: number; total: number } | null;
  /** Where it stands if looking into files fails or is canceled. An unfinished import isn't lost. */
  before: ImportState | null;
  /** Why the files can't be imported, or why the import has stopped. */
  problem: string | null;
  /** The clips that were chosen; null for an archive. */
  review: ClipReview | null;
  session: ImportSession | null;
  plan: ImportPlan | null;
  /** How many entries are over, whether imported or failed, of those wanted. */
  finished: number;
  failed: readonly FailedEntry[];
}

export type ImportEvent =
  | { type: 'interrupted'; name: string }
  | { type: 'reading'; name: string }
  | { type: 'read'; reading: ImportState['reading'] }
  | { type: 'opened'; review: ClipReview }
  | { type: 'planned'; session: ImportSession; plan: ImportPlan; importId: string | null }
  | { type: 'reviewed-again' }
  | { type: 'started' }
  | { type: 'progress'; values: Partial<ImportProgress> }
  | { type: 'entry-failed'; entry: FailedEntry }
  /** It's over, whether imported or failed. */
  | { type: 'entry-finished' }
  /** It can't go on, or the user has canceled or paused it, if there's no problem. */
  | { type: 'stopped'; problem: string | null }
  /** Another tab runs it. */
  | { type: 'refused'; problem: string }
  | { type: 'finished' }
  | { type: 'forgotten' };

export const NO_IMPORT: ImportState = {
  phase: 'idle',
  name: '',
  reading: null,
  before: null,
  problem: null,
  review: null,
  session: null,
  plan: null,
  importId: null,
  finished: 0,
  sent: 0,
  total: 0,
  secondsLeft: null,
  waiting: null,
  failed: [],
  journalProblem: null,
  openEntry: null,
};

const NOT_WAITING = { waiting: null, secondsLeft: null };

function startReading(state: ImportState, { name }: { name: string }): ImportState {
  const { phase, openEntry } = state;
  // One that ended with failures isn't finished anymore.
  const before: ImportState = phase === 'done' ? { ...state, phase: 'paused' } : state;
  return { ...NO_IMPORT, phase: 'reading', name, before, openEntry };
}

function stop(state: ImportState, { problem }: { problem: string | null }): Partial<ImportState> {
  if (state.phase === 'reading') return { ...(state.before ?? NO_IMPORT), problem };
  return state.phase === 'running' ? { ...NOT_WAITING, phase: 'paused', problem } : { problem };
}

/** The phases in which each event happens, and what it changes. It's ignored in others. */
const TRANSITIONS: {
  [Type in Exclude<ImportEvent['type'], 'forgotten'>]: [
    phases: readonly ImportState['phase'][],
    change: (state: ImportState, event: Extract<ImportEvent, { type: Type }>) => Partial<ImportState>,
  ];
} = {
  interrupted: [['idle'], (_, { name }) => ({ phase: 'interrupted', name })],
  reading: [['idle', 'interrupted', 'paused', 'done'], startReading],
  read: [['reading'], (_, { reading }) => ({ reading })],
  opened: [['reading'], (_, { review }) => ({ phase: 'review', review, reading: null, before: null })],
  planned: [
    ['reading', 'review'],
    (_, { session, plan, importId }) => ({
      phase: 'ready',
      ...{ session, plan, importId, reading: null, before: null, problem: null },
    }),
  ],
  'reviewed-again': [['ready'], () => ({ phase: 'review', plan: null, problem: null })],
  started: [
    ['ready'],
    () => ({ phase: 'running', problem: null, journalProblem: null, finished: 0, failed: [] }),
  ],
  progress: [['running'], (_, { values }) => values],
  'entry-failed': [['running'], ({ failed }, { entry }) => ({ failed: [...failed, entry] })],
  'entry-finished': [
    ['running'],
    ({ finished }) => ({ finished: finished + 1, waiting: null, openEntry: null }),
  ],
  stopped: [['reading', 'review', 'running'], stop],
  refused: [['running'], (_, { problem }) => ({ phase: 'ready', problem })],
  finished: [['running'], () => ({ ...NOT_WAITING, phase: 'done' })],
};

/** Applies an event to an import. Events that don't fit its phase return the same object. */
export function importReducer(state: ImportState, event: ImportEvent): ImportState {
  if (event.type === 'forgotten') return NO_IMPORT;
  const [phases, change] = TRANSITIONS[event.type];
  return phases.includes(state.phase) ? { ...state, ...change(state, event as never) } : state;
}
