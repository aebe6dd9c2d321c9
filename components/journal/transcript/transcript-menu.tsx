import {
  CircleQuestionMark,
  Download,
  EllipsisVertical,
  History,
  type IconNode,
  TextAlignStart,
} from 'lucide';
import { Suspense, useState } from 'react';
import { DownloadDialog } from '@/components/journal/downloads/download-dialog';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import { Menu, MenuItem } from '@/components/ui/menu';
import type { Transcription } from '@/lib/journal/transcripts/contract';

const TranscriptHistory = lazyComponent(() => import('./transcript-history'), 'TranscriptHistory');

const item = (icon: IconNode, label: string, onSelect: () => void) => (
  <MenuItem onSelect={onSelect}>
    <Icon of={icon} className="size-4" aria-hidden="true" />
    {label}
  </MenuItem>
);

/** Actions on the transcript apart from reading and editing it. */
export function TranscriptMenu({
  entryId,
  plain,
  onPlain,
  markUnsure,
  onMarkUnsure,
  historyOpen,
  onHistoryOpen,
  onRestored,
}: {
  entryId: string;
  plain: boolean;
  onPlain: (plain: boolean) => void;
  markUnsure: boolean;
  onMarkUnsure: (unsure: boolean) => void;
  historyOpen: boolean;
  onHistoryOpen: (open: boolean) => void;
  onRestored: (current: Transcription) => void;
}) {
  const [downloading, setDownloading] = useState(false);
  return (
    <>
      <Menu
        label="Transcript actions"
        icon={<Icon of={EllipsisVertical} className="size-5" aria-hidden="true" />}
      >
        {item(TextAlignStart, plain ? 'Timed words' : 'Plain text', () => onPlain(!plain))}
        {!plain &&
          item(CircleQuestionMark, markUnsure ? 'Hide unsure words' : 'Mark unsure words', () =>
            onMarkUnsure(!markUnsure),
          )}
        {item(History, 'History', () => onHistoryOpen(true))}
        {item(Download, 'Download', () => setDownloading(true))}
      </Menu>
      <DownloadDialog entryId={entryId} open={downloading} onOpenChange={setDownloading} />
      <Dialog
        open={historyOpen}
        onOpenChange={onHistoryOpen}
        title="Transcript history"
        description="Every version is saved. Restoring one adds it as the newest version."
      >
        <Suspense fallback={null}>
          <TranscriptHistory
            entryId={entryId}
            onRestored={(current) => {
              onHistoryOpen(false);
              onRestored(current);
            }}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
