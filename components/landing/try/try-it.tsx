'use client';

import { Lock } from 'lucide';
import { useEffect, useRef, useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { useMissingDevice } from './missing-device';

const TryStudio = lazyComponent(() => import('./try-studio'), 'TryStudio');
const SampleEntry = lazyComponent(() => import('./sample-entry'), 'SampleEntry');

/** Things that take turns in the same place, which is as large as the largest of them. */
const STACKED = '*:[grid-area:1/1]';

/** Says what trying it takes, and starts it. */
function Invitation({
  speech,
  busy,
  onTry,
  onSample,
}: {
  speech: BrowserSpeech;
  busy: boolean;
  onTry: () => void;
  onSample: () => void;
}) {
  return (
    <>
      <div>
        <p className="heading text-[20px]">Say something</p>
        <p className="mt-1 flex items-center gap-1.5 text-14 text-ink-2">
          <Icon of={Lock} className="size-3.5" aria-hidden="true" />
          Nothing leaves your device.
        </p>
      </div>
      <Button size="lg" variant="secondary" aria-describedby="try-about" busy={busy} onClick={onTry}>
        Try it now
      </Button>
      <p id="try-about" className="basis-full text-13 text-ink-2">
        Turns on your camera, and downloads {Math.round(speech.bytes / 1e6)} MB once so that this browser can
        write down your words. English only. No camera?{' '}
        <button
          type="button"
          onClick={onSample}
          className="min-h-6 font-semibold text-accent-ink underline underline-offset-2"
        >
          Play a sample entry
        </button>
      </p>
    </>
  );
}

/** Says why it can't be tried here, and offers the sample. */
function SampleInvitation({
  problem,
  busy,
  onSample,
}: {
  problem: string;
  busy: boolean;
  onSample: () => void;
}) {
  return (
    <>
      <div className="grow basis-56">
        <p className="heading text-[20px]">See how it works</p>
        <p className="mt-1 text-14 text-ink-2">{problem}</p>
      </div>
      <Button size="lg" variant="secondary" busy={busy} onClick={onSample}>
        Play a sample entry
      </Button>
    </>
  );
}

/**
 * Lets visitors record and read their own words on the spot, or play a sample entry.
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
  const [asked, setAsked] = useState<'studio' | 'sample'>();
  // Until its code is here, what's shown stays.
  const [isLoading, startLoading] = useTransition();
  const problem = useMissingDevice();
  const section = useRef<HTMLElement>(null);
  function show(next: 'studio' | 'sample'): void {
    setAsked(next);
    startLoading(() => setShown(next));
  }
  const showSample = () => show('sample');
  const showStudio = () => show('studio');
  const isLoadingOf = (one: typeof asked) => isLoading && asked === one;
  // The button that was pressed is gone.
  useEffect(() => {
    if (shown !== 'still') section.current?.focus({ preventScroll: true });
  }, [shown]);
  const footer = 'flex flex-wrap content-start items-center justify-between gap-x-4 gap-y-3 px-1.5 pb-1';
  return (
    <section
      ref={section}
      aria-label="Try it"
      tabIndex={-1}
      className={`grid rounded-18 border border-line bg-surface p-3 shadow-xl focus:outline-none ${STACKED}`}
    >
      {/* It stays in its place when it's replaced, so that the card keeps its height and nothing around it moves. */}
      <div className={`flex flex-col gap-3.5 ${shown === 'still' ? '' : '[visibility:hidden]'}`}>
        {still}
        <div className={`grid ${STACKED}`}>
          <div className={`${footer} ${problem ? '[visibility:hidden]' : ''}`}>
            <Invitation
              speech={speech}
              busy={isLoadingOf('studio')}
              onTry={showStudio}
              onSample={showSample}
            />
          </div>
          {problem && (
            <div className={`${footer} sm:content-center`}>
              <SampleInvitation problem={problem} busy={isLoadingOf('sample')} onSample={showSample} />
            </div>
          )}
        </div>
      </div>
      {shown !== 'still' && (
        <div className="flex h-0 min-h-full flex-col overflow-y-auto">
          {shown === 'studio' ? (
            <TryStudio speech={speech} offersSignup={offersSignup} onSample={showSample} />
          ) : (
            <SampleEntry onTry={problem ? null : showStudio} />
          )}
        </div>
      )}
    </section>
  );
}
