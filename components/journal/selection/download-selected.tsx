import { Download } from 'lucide';
import { useZipDownload } from '@/components/journal/downloads/use-zip-download';
import { Icon } from '@/components/ui/icon';
import { showProblem } from '@/components/ui/show-error';
import { Spinner } from '@/components/ui/spinner';
import { toast } from '@/components/ui/toast';
import { useSelection } from './selection';

/** Downloads the selected entries as one ZIP file. */
export function DownloadSelected({ className }: { className: string }) {
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
      {isBusy ? `${Math.round(progress * 100)}%` : 'Download'}
    </button>
  );
}
