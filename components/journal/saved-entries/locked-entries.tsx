import { countEntries } from '@/components/journal/entries/count-entries';

/** Says that entries on this device are locked. Shows nothing if none are. */
export function LockedEntries({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="text-16 text-pretty text-ink-2">
      {countEntries(count)} on this device {count === 1 ? 'is' : 'are'} locked, because you’re logged out. Log
      in within 30 days to watch {count === 1 ? 'it' : 'them'} here again.
    </p>
  );
}
