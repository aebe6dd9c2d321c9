import { countEntries } from '@/components/journal/entries/count-entries';
import type { ImportState } from './import-reducer';

/** Says how an import has ended. */
export function describeResult({ plan, failed }: ImportState): string {
  if (plan?.wanted.length === 0) return 'Import finished.';
  const imported = `${countEntries((plan?.wanted.length ?? 0) - failed.length)} imported.`;
  return failed.length === 0 ? imported : `${imported} ${countEntries(failed.length)} couldn’t be imported.`;
}

/** Returns which years something is from: ` from 2014 to 2024`; '' if either isn't known. */
export function fromYears(first: string | undefined, last: string | undefined): string {
  if (!first || !last) return '';
  return first === last ? ` from ${first}` : ` from ${first} to ${last}`;
}

/** Returns which entry of how many an import is at, from 1. */
export function currentEntry({ plan, finished, phase }: ImportState): { current: number; wanted: number } {
  const wanted = plan?.wanted.length ?? 0;
  return { current: Math.min(finished + (phase === 'paused' ? 0 : 1), wanted), wanted };
}
