import { useEffect, useState } from 'react';
import type { SourceFile } from '@/components/portability/imports/sources/source-file';
import { lazyPart, loadCode } from '@/components/ui/load-code';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';

const ClipPicture = lazyPart(
  () => import('@/components/portability/imports/clips/clip-picture'),
  'ClipPicture',
);

/** How many words fit beside the form. */
const FIRST_WORDS = 16;

interface Kept {
  file: SourceFile;
  /** The first words; empty if none were heard. */
  words: string;
}

/** Returns a recording that's saved on this device, or null if it's gone. */
async function readKept(id: string): Promise<Kept | null> {
  const [{ readLocalCopy }, { readWords }, { sourceOfFile }] = await Promise.all([
    loadCode(() => import('@/components/capture/recorder/recording-store')),
    loadCode(() => import('@/components/capture/recorder/captions/words-store')),
    loadCode(() => import('@/components/portability/imports/sources/source-file')),
  ]);
  const copy = await readLocalCopy(id);
  if (!copy) return null;
  const words = ((await readWords(id))?.draft.words ?? []).map(({ word }) => word);
  const more = words.length > FIRST_WORDS ? '…' : '';
  return { file: sourceOfFile(copy.file), words: words.slice(0, FIRST_WORDS).join(' ') + more };
}

/** Shows a recording that was made before signing up: its picture and its first words. @param id of its local copy */
export function KeptRecordingAside({ id }: { id: string }) {
  /** Undefined until it's been read. */
  const [kept, setKept] = useState<Kept | null>();
  useEffect(() => {
    readKept(id)
      // A browser that stores nothing has no recordings.
      .catch(logRejected)
      .then((found) => setKept(found ?? null));
  }, [id]);
  return (
    <aside
      aria-label="Your recording"
      className="flex items-center gap-4 lg:flex-col lg:items-stretch lg:gap-5 lg:self-start"
    >
      <div
        role="img"
        aria-label="A picture of your recording"
        className="aspect-video w-28 shrink-0 overflow-hidden rounded-12 bg-sunken sm:w-44 lg:w-full"
      >
        {kept && <ClipPicture file={kept.file} />}
      </div>
      <p className="text-15 text-pretty text-ink-2">
        {kept === null
          ? 'We can’t find your recording in this browser. You can still sign up and record a new one.'
          : 'Your recording is only on this device so far. Once you’ve signed up, it can become your first entry.'}
      </p>
      {kept?.words && (
        <p className="font-serif text-[20px] leading-snug text-pretty max-lg:sr-only">“{kept.words}”</p>
      )}
    </aside>
  );
}
