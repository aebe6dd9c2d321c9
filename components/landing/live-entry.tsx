'use client';

import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent } from '@/components/ui/load-code';

const SampleEntryPage = lazyComponent(() => import('./sample-entry-page'), 'SampleEntryPage');

/** Shows a picture of an entry. A press on it, such as on one of its words, opens the entry itself in its place. */
export function LiveEntry({ picture }: { picture: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const still = (
    <button
      type="button"
      onClick={() => setOpen(true)}
      className="block w-full overflow-hidden rounded-18 border border-line bg-canvas shadow-xl"
    >
      {picture}
    </button>
  );
  return (
    <figure aria-label="A sample entry" className="flex flex-col gap-4">
      {isOpen ? (
        <Suspense fallback={still}>
          <SampleEntryPage />
        </Suspense>
      ) : (
        still
      )}
      <figcaption className="text-center text-15 text-balance text-ink-2">
        A sample entry. Open it, then click any word to play from there.
      </figcaption>
    </figure>
  );
}
