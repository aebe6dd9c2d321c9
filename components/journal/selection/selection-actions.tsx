import { CalendarDays, Download, type IconNode, Tag, Trash2, X } from 'lucide';
import { type ComponentType, useState } from 'react';
import { useZipDownload } from '@/components/journal/downloads/prepared-download';
import { Icon } from '@/components/ui/icon';
import { showProblem } from '@/components/ui/show-error';
import { Spinner } from '@/components/ui/spinner';
import { toast } from '@/components/ui/toast';
import { type ActionDialogProps, DateDialog, DeleteSelectedDialog, TagDialog } from './action-dialogs';
import { useSelection } from './selection';

/** Downloads the selected entries as one ZIP file. */
function DownloadSelected({ className }: { className: string }) {
  const { picked } = useSelection();
  const { progress, download } = useZipDownload();
  const isBusy = progress !== null;

  function start() {
    if (isBusy) return;
    if (picked.size === 0) return showProblem('Select at least one entry first.');
    toast.success('Preparing your download. It starts on its own. You’ll find it in Settings, too.');
    void download([...picked.keys()]);
  }

  return (
    <button
      type="button"
      aria-disabled={isBusy || picked.size === 0 || undefined}
      onClick={start}
      className={className}
    >
      {isBusy ? <Spinner /> : <Icon of={Download} className="size-4.5 shrink-0" aria-hidden="true" />}
      <span>{isBusy ? `${Math.round(progress * 100)}%` : 'Download'}</span>
    </button>
  );
}

const ACTION =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-pill px-3.5 text-15 font-semibold hover:bg-sunken aria-disabled:cursor-default aria-disabled:text-ink-3 max-sm:min-h-13 max-sm:flex-1 max-sm:flex-col max-sm:gap-0.5 max-sm:rounded-12 max-sm:px-1 max-sm:text-center max-sm:text-13 max-sm:leading-4';

/** A button that opens the dialog of an action. */
function Action({
  label,
  icon,
  Dialog,
  danger,
}: {
  label: string;
  icon: IconNode;
  Dialog: ComponentType<ActionDialogProps>;
  danger?: boolean;
}) {
  const { picked } = useSelection();
  const [open, setOpen] = useState(false);
  /** Counts how often it was opened: each time, the dialog starts anew. */
  const [round, setRound] = useState(0);
  const isEmpty = picked.size === 0;
  return (
    <>
      <button
        type="button"
        aria-disabled={isEmpty || undefined}
        onClick={() => {
          if (isEmpty) return showProblem('Select at least one entry first.');
          setRound(round + 1);
          setOpen(true);
        }}
        className={`${ACTION} ${danger ? 'text-danger' : ''}`}
      >
        <Icon of={icon} className="size-4.5 shrink-0" aria-hidden="true" />
        {label}
      </button>
      <Dialog key={round} entries={[...picked.values()]} open={open} onOpenChange={setOpen} />
    </>
  );
}

/** What can be done with the selected entries. */
export function SelectionActions() {
  const { end } = useSelection();
  return (
    <>
      <button
        type="button"
        aria-label="Stop selecting"
        onClick={end}
        className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink sm:order-last"
      >
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
      <div className="flex max-sm:w-full">
        <Action label="Tag" icon={Tag} Dialog={TagDialog} />
        <Action label="Change date" icon={CalendarDays} Dialog={DateDialog} />
        <DownloadSelected className={ACTION} />
        <Action label="Delete" icon={Trash2} Dialog={DeleteSelectedDialog} danger />
      </div>
    </>
  );
}
