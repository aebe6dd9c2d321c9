'use client';

import { Lock } from 'lucide';
import { Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';

const TryStudio = lazyComponent(() => import('./try-studio'), 'TryStudio');
const SampleEntry = lazyComponent(() => import('./sample-entry'), 'SampleEntry');

/**
 * Lets visitors record and read their own words on the spot, or look at a sample entry.
 * @param still what's shown until then
 */
export function TryIt({
  speech,
  still,
  offersSignup,
}: {
  speech: BrowserSpeech;
  still: Elements;
  offersSignup: boolean;
}) {
  const [shown, setShown] = useState<'still' | 'studio' | 'sample'>('still');
  const showSample = () => setShown('sample');
  return (
    <section
      aria-label="Try it"
      className="flex flex-col gap-3.5 rounded-18 border border-line bg-surface p-3 shadow-xl"
    >
      {shown === 'still' ? (
        still
      ) : (
        <Suspense fallback={still}>
          {shown === 'studio' ? (
            <TryStudio speech={speech} offersSignup={offersSignup} onSample={showSample} />
          ) : (
            <SampleEntry onTry={() => setShown('studio')} />
          )}
        </Suspense>
      )}
      {shown === 'still' && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-1.5 pb-1">
          <div>
            <p className="heading text-[20px]">Say something</p>
            <p className="mt-1 flex items-center gap-1.5 text-14 text-ink-2">
              <Icon of={Lock} className="size-3.5" aria-hidden="true" />
              Nothing leaves your device.
            </p>
          </div>
          <Button
            size="lg"
            variant="secondary"
            aria-describedby="try-about"
            onClick={() => setShown('studio')}
          >
            Try it now
          </Button>
          <p id="try-about" className="basis-full text-13 text-ink-2">
            Turns on your camera, and downloads {Math.round(speech.bytes / 1e6)} MB once so that this browser
            can write down your words. English only. No camera?{' '}
            <button
              type="button"
              onClick={showSample}
              className="min-h-6 font-semibold text-accent-ink underline underline-offset-2"
            >
              Play a sample entry
            </button>
          </p>
        </div>
      )}
    </section>
  );
}
