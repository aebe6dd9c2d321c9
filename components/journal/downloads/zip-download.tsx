import { Archive } from 'lucide';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ProgressBar } from '@/components/ui/progress-bar';
import { useZipDownload } from './use-zip-download';

/** Downloads everything about an entry as one ZIP file. */
export function ZipDownload({ entryId }: { entryId: string }) {
  const { progress, download } = useZipDownload();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <Button variant="secondary" busy={progress !== null} onClick={() => void download([entryId])}>
        {progress === null && <Icon of={Archive} className="size-4" aria-hidden="true" />}
        {progress === null ? 'Everything (ZIP)' : 'Preparing your download…'}
      </Button>
      <p className="text-14 text-ink-3" role="status">
        {progress === null
          ? 'Video, transcript with every version, notes, and tags, with a page that plays it without internet.'
          : 'It starts by itself. You’ll also find it in Settings, under Your Data.'}
      </p>
      {progress !== null && <ProgressBar label="Preparing your download" value={progress} max={1} />}
    </div>
  );
}
