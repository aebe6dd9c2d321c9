import type { Timeline } from '@/lib/journal/timeline/contract';
import type { Anchor } from './anchor';

/** Where someone was in a timeline when they left it by a link. */
interface TimelineMemory {
  /** Also in the state of the page's history entry, so that only going back to that one finds it. */
  token: string;
  part: Timeline;
  anchor: Anchor | null;
}

let memory: TimelineMemory | null = null;

/** Keeps what's shown, for when the person comes back to this page. */
export function rememberTimeline(shown: Omit<TimelineMemory, 'token'>): void {
  memory = { ...shown, token: String(Math.random()) };
  window.history.replaceState({ ...window.history.state, timeline: memory.token }, '');
}

/** Returns what was shown before, if the person has come back to it. */
export function recallTimeline(): TimelineMemory | null {
  if (typeof window === 'undefined' || !memory) return null;
  return window.history.state?.timeline === memory.token ? memory : null;
}
