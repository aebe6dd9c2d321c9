import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { KeptHandle } from './chosen-files';
import type { ClipValues } from './clips/chosen-clip';
import type { ClipReview } from './clips/clip-review';
import type { ImportSource } from './import-source';
import type { ImportPlan } from './plan-import';

/** An entry that couldn't be imported. */
interface FailedEntry {
  id: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  reason: string;
}

/** What an import reads from, and what it's imported with. */
export interface ImportSession {
  account: string;
  limits: FileLimits;
  source: ImportSource;
  handles: readonly KeptHandle[];
  /** What the user decided about each clip; null for an archive. */
  clips: readonly (ClipValues & { id: string })[] | null;
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
  /** How many tags the archive has. */
  tags: number;
  /** The server's id of the import, once it has started. */
  importId: string | null;
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
  | { type: 'created'; importId: string }
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
  tags: 0,
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

/** The phases in which an event happens. It's ignored in others. */
const PHASES: Record<Exclude<ImportEvent['type'], 'forgotten'>, readonly ImportState['phase'][]> = {
  interrupted: ['idle'],
  reading: ['idle', 'interrupted', 'paused', 'done'],
  read: ['reading'],
  opened: ['reading'],
  planned: ['reading', 'review'],
  'reviewed-again': ['ready'],
  started: ['ready'],
  created: ['running'],
  progress: ['running'],
  'entry-failed': ['running'],
  'entry-finished': ['running'],
  stopped: ['reading', 'review', 'running'],
  refused: ['running'],
  finished: ['running'],
};

const NOT_WAITING = { waiting: null, secondsLeft: null };

function stop(state: ImportState, problem: string | null): ImportState {
  switch (state.phase) {
    case 'reading':
      return { ...(state.before ?? NO_IMPORT), problem };
    case 'running':
      return { ...state, ...NOT_WAITING, phase: 'paused', problem };
    default:
      return { ...state, problem };
  }
}

function startReading(state: ImportState, name: string): ImportState {
  const { phase, openEntry } = state;
  // One that ended with failures isn't finished anymore.
  const before: ImportState = phase === 'done' ? { ...state, phase: 'paused' } : state;
  return { ...NO_IMPORT, phase: 'reading', name, before, openEntry };
}

/** Applies an event to an import. Events that don't fit its phase return the same object. */
export function importReducer(state: ImportState, event: ImportEvent): ImportState {
  if (event.type === 'forgotten') return NO_IMPORT;
  if (!PHASES[event.type].includes(state.phase)) return state;
  switch (event.type) {
    case 'interrupted':
      return { ...state, phase: 'interrupted', name: event.name };
    case 'reading':
      return startReading(state, event.name);
    case 'read':
      return { ...state, reading: event.reading };
    case 'opened':
      return { ...state, phase: 'review', review: event.review, reading: null, before: null };
    case 'planned': {
      const { session, plan, importId } = event;
      const { tags } = session.source;
      const over = { reading: null, before: null, problem: null };
      return { ...state, ...over, phase: 'ready', session, plan, tags, importId };
    }
    case 'reviewed-again':
      return { ...state, phase: 'review', plan: null, problem: null };
    case 'started':
      return { ...state, phase: 'running', problem: null, journalProblem: null, finished: 0, failed: [] };
    case 'created':
      return { ...state, importId: event.importId };
    case 'progress':
      return { ...state, ...event.values };
    case 'entry-failed':
      return { ...state, failed: [...state.failed, event.entry] };
    case 'entry-finished':
      return { ...state, finished: state.finished + 1, waiting: null, openEntry: null };
    case 'stopped':
      return stop(state, event.problem);
    case 'refused':
      return { ...state, phase: 'ready', problem: event.problem };
    case 'finished':
      return { ...state, ...NOT_WAITING, phase: 'done' };
  }
}
