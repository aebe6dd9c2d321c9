import { countEntries } from '@/components/journal/entries/count-entries';
import { Dialog } from '@/components/ui/dialog';
import { call } from '@/lib/api/shared/client';
import { formatUsDate, localToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { type DateChange, DateForm } from './date-form';
import { type ActionDialogProps, useBulkAction } from './use-bulk-action';

/** Sets one date for the entries, or moves each date by a number of days. */
export function DateDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const count = countEntries(entries.length);

  const save = (change: DateChange) =>
    run(async () => {
      const to = 'date' in change ? { date: toIso(change.date) } : change;
      const changed = await call('POST /bulk/entries/date', {
        body: { entries: entries.map(({ id }) => id), ...to },
      });
      return {
        message: `Changed the date of ${count}.`,
        undo: () => call('POST /bulk/entries/date/undo', { body: changed }),
      };
    });

  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Change the date of ${count}`}>
      <DateForm
        initial={formatUsDate(localToday())}
        dates={entries.map(({ date }) => date)}
        describeCount={countEntries}
        isBusy={isBusy}
        onSubmit={(change) => void save(change)}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}
