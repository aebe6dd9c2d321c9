import { Archive, Braces, Captions, FileText, Film, type IconNode, MonitorPlay } from 'lucide';
import { type MouseEvent, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { Loading, Skeleton } from '@/components/ui/loading';
import { ProgressBar } from '@/components/ui/progress-bar';
import { showError, showProblem } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { Download } from '@/lib/video/downloads/contract';
import { isHomeScreenApp, saveFile, shareFile, useZipDownload } from './prepared-download';

/** Downloads everything about an entry as one ZIP file. */
function ZipDownload({ entryId }: { entryId: string }) {
  const { progress, download } = useZipDownload();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <Button variant="secondary" busy={progress !== null} onClick={() => void download([entryId])}>
        {progress === null && <Icon of={Archive} className="size-4" aria-hidden="true" />}
        <span>{progress === null ? 'Everything (ZIP)' : 'Preparing your download…'}</span>
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

const KINDS: Record<Download['kind'], { icon: IconNode; label: string; about?: string }> = {
  original: { icon: Film, label: 'Original video', about: 'As you recorded it' },
  video: { icon: MonitorPlay, label: 'Playable video', about: 'Plays on any device' },
  text: { icon: FileText, label: 'Transcript' },
  vtt: { icon: Captions, label: 'Captions' },
  srt: { icon: Captions, label: 'Captions' },
  json: { icon: Braces, label: 'Transcript data', about: 'Every version, with the time of each word' },
};

/** The recorder's name for its files, which says nothing. */
const RECORDED_NAME = /^browser_uploaded\./;

const ROW = 'flex min-h-14 items-center gap-3.5 rounded-12 px-3 py-2 no-underline';

function FileDescription({ file, more }: { file: Download; more?: Elements }) {
  const { icon, label, about } = KINDS[file.kind];
  const format = file.fileName.split('.').at(-1)?.toUpperCase();
  const size = file.bytes === null ? null : formatBytes(file.bytes);
  const isNamed = file.uploadedName !== null && !RECORDED_NAME.test(file.uploadedName);
  const details = [isNamed ? file.uploadedName : about, size].filter(Boolean).join(' · ');
  return (
    <>
      <Icon of={icon} className="size-5 shrink-0 text-ink-2" aria-hidden="true" />
      <span className="min-w-0">
        <span className="block text-15 font-semibold text-ink">{`${label} (${format})`}</span>
        {details && <span className="block text-14 text-ink-3">{details}</span>}
        {more}
      </span>
    </>
  );
}

/** Lists the files of an entry that exist, each a link that saves it. */
export function DownloadList({ entryId }: { entryId: string }) {
  const [files, setFiles] = useState<readonly Download[] | 'failed' | null>(null);
  const [attempt, setAttempt] = useState(0);

  // Another attempt loads it again.
  useEffect(() => {
    const gone = new AbortController();
    call('GET /entry/:id/downloads', { params: { id: entryId }, signal: gone.signal })
      .then(({ downloads }) => setFiles(downloads))
      .catch((error: unknown) => {
        if (gone.signal.aborted) return;
        setFiles('failed');
        showError(error);
      });
    return () => gone.abort();
  }, [entryId, attempt]);

  async function save(event: MouseEvent, kind: Download['kind']) {
    event.preventDefault();
    try {
      // A link can't renew the session, and would save an error message as the file.
      const { downloads } = await call('GET /entry/:id/downloads', { params: { id: entryId } });
      setFiles(downloads);
      const file = downloads.find((one) => one.kind === kind);
      if (!file) showProblem('This file isn’t there anymore.');
      else if (isHomeScreenApp()) await shareFile(file);
      else saveFile(file);
    } catch (error) {
      showError(error);
    }
  }

  if (files === 'failed') {
    const retry = () => {
      setFiles(null);
      setAttempt(attempt + 1);
    };
    return <Button onClick={retry}>Try again</Button>;
  }
  if (!files) {
    return (
      <Loading>
        <Skeleton className="h-84 rounded-12" />
      </Loading>
    );
  }
  if (files.length === 0) return <p className="text-ink-2">There’s nothing to download yet.</p>;
  return (
    <>
      <ul className="-mx-3 flex flex-col">
        {files.map((file) => (
          <li key={file.kind}>
            {file.bytes !== null && isHomeScreenApp() ? (
              <div className={ROW}>
                <FileDescription
                  file={file}
                  more={<span className="block text-14 text-ink-2">Open Daylight in Safari to save it.</span>}
                />
              </div>
            ) : (
              <a
                href={file.url}
                download={file.fileName}
                onClick={(event) => void save(event, file.kind)}
                className={`${ROW} hover:bg-sunken`}
              >
                <FileDescription file={file} />
              </a>
            )}
          </li>
        ))}
      </ul>
      {!isHomeScreenApp() && <ZipDownload entryId={entryId} />}
    </>
  );
}
