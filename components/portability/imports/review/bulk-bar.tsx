import { CalendarDays, Check, CircleMinus, CirclePlus, Ellipsis, type IconNode, Tag, Type, X } from 'lucide';
import { type Dispatch, useState } from 'react';
import type { DateSource } from '@/components/capture/uploads/video-file/date-finding';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Menu, MenuItem } from '@/components/ui/menu';
import type { Tag as AccountTag } from '@/lib/journal/tags/contract';
import { RowsDateForm, RowsTagForm, RowsTitleForm } from './bulk-forms';
import { countClips, describeSource } from './describe-row';
import { foundDates, type ReviewRow, type RowChange } from './review-row';
import { type ReviewAction, type ReviewState, selectedRows } from './review-state';

interface BulkAction {
  label: string;
  icon: IconNode;
  run: () => void;
  /** Whether it's in the bar on narrow screens, too. Elsewhere, it's in the menu there. */
  isPrimary?: boolean;
}

const BUTTON =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-pill px-3 text-15 font-semibold hover:bg-sunken max-sm:min-h-13 max-sm:flex-1 max-sm:flex-col max-sm:gap-0.5 max-sm:rounded-12 max-sm:px-1 max-sm:text-center max-sm:text-13';

/** Returns the sources of which at least one row has a date that it doesn't use. */
function unusedSources(rows: readonly ReviewRow[]): DateSource[] {
  const unused = rows.flatMap((row) => foundDates(row).filter(({ source }) => source !== row.source));
  return [...new Set(unused.map(({ source }) => source))];
}

/** What can be done with the selected rows. There while some are selected. */
export function BulkBar({
  state,
  dispatch,
  isWide,
  knownTags,
  allTags,
  onClear,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
  isWide: boolean;
  knownTags: ReadonlyMap<string, AccountTag>;
  allTags: readonly AccountTag[];
  /** Ends the selection, and moves the focus, since this bar disappears. */
  onClear: () => void;
}) {
  const [dialog, setDialog] = useState<'date' | 'tags' | 'title' | null>(null);
  const rows = selectedRows(state);
  const onChange = (change: RowChange) => dispatch({ type: 'edit', ids: state.selected, changes: [change] });
  const onClose = () => setDialog(null);
  const form = { rows, onChange, onClose };
  const setIncluded = (isIncluded: boolean) => () => onChange({ kind: 'include', isIncluded });

  const canLeaveOut = rows.some(({ isIncluded, problem }) => isIncluded && problem === null);
  const canInclude = rows.some(({ isIncluded, problem }) => !isIncluded && problem === null);
  const actions: BulkAction[] = [
    { label: 'Change date', icon: CalendarDays, run: () => setDialog('date'), isPrimary: true },
    { label: 'Tag', icon: Tag, run: () => setDialog('tags'), isPrimary: true },
    { label: 'Set title', icon: Type, run: () => setDialog('title') },
    { label: 'Looks right', icon: Check, run: () => onChange({ kind: 'confirm' }) },
    ...(canLeaveOut
      ? [{ label: 'Leave out', icon: CircleMinus, run: setIncluded(false), isPrimary: true }]
      : []),
    ...(canInclude
      ? [{ label: 'Include', icon: CirclePlus, run: setIncluded(true), isPrimary: !canLeaveOut }]
      : []),
  ];
  const inBar = actions.filter(({ isPrimary }) => isWide || isPrimary);
  const inMenu = actions.filter((action) => !inBar.includes(action));
  const sources = unusedSources(rows);
  const count = countClips(rows.length);

  return (
    <>
      <BottomBar label="Selected clips">
        <p className="min-w-24 grow text-15 font-semibold tabular-nums">{rows.length} selected</p>
        <button
          type="button"
          aria-label="Clear selection"
          onClick={onClear}
          className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <Icon of={X} className="size-5" aria-hidden="true" />
        </button>
        <div className="-ml-3 flex w-full items-center max-sm:ml-0 sm:flex-wrap">
          {inBar.map(({ label, icon, run }) => (
            <button key={label} type="button" onClick={run} className={BUTTON}>
              <Icon of={icon} className="size-4.5 shrink-0" aria-hidden="true" />
              {label}
            </button>
          ))}
          {inMenu.length + sources.length > 0 && (
            <Menu label="More actions" icon={<Icon of={Ellipsis} className="size-5" aria-hidden="true" />}>
              {inMenu.map(({ label, icon, run }) => (
                <MenuItem key={label} onSelect={run}>
                  <Icon of={icon} className="size-4.5 shrink-0" aria-hidden="true" />
                  {label}
                </MenuItem>
              ))}
              {sources.map((source) => (
                <MenuItem key={source} onSelect={() => onChange({ kind: 'found', source })}>
                  <Icon of={CalendarDays} className="size-4.5 shrink-0" aria-hidden="true" />
                  Use date: {describeSource(source)}
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
      </BottomBar>
      <Dialog open={dialog === 'date'} onOpenChange={onClose} title={`Change the date of ${count}`}>
        <RowsDateForm {...form} />
      </Dialog>
      <Dialog open={dialog === 'tags'} onOpenChange={onClose} title={`Tag ${count}`}>
        <RowsTagForm {...form} knownTags={knownTags} allTags={allTags} />
      </Dialog>
      <Dialog open={dialog === 'title'} onOpenChange={onClose} title={`Set the title of ${count}`}>
        <RowsTitleForm {...form} />
      </Dialog>
    </>
  );
}
