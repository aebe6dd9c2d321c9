'use client';

import { useEffect, useState } from 'react';
import { PlaybackProvider } from '@/components/journal/player/playback';
import { PlayerView } from '@/components/journal/player/player-view';
import { ShortcutsDialog } from '@/components/journal/player/shortcuts-dialog';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { DraftTranscriptView } from './draft-transcript-view';
import { SAMPLE_POSTER, SAMPLE_VIDEO } from './sample';

/** Plays the sample entry with its words, as an entry's page does. */
export function SamplePlayer({ title, words }: { title: string } & Pick<DraftTranscript, 'words'>) {
  const [help, setHelp] = useState(false);
  // In another typeface, each word would be in another place.
  const [hasFonts, setHasFonts] = useState(false);
  useEffect(() => void document.fonts.ready.then(() => setHasFonts(true)), []);
  return (
    <PlaybackProvider>
      <div className="flex flex-col gap-6 min-[980px]:grid min-[980px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] min-[980px]:items-start min-[980px]:gap-x-8">
        <PlayerView
          src={SAMPLE_VIDEO}
          poster={SAMPLE_POSTER}
          title={title}
          captions={null}
          language={null}
          onHelp={() => setHelp(true)}
        />
        <section
          aria-labelledby="transcript-heading"
          className="flex max-h-[min(70dvh,620px)] min-h-0 flex-col rounded-18 border border-line bg-surface"
        >
          <h2
            id="transcript-heading"
            className="flex min-h-15 shrink-0 items-center border-b border-line px-4 text-15 font-semibold"
          >
            Transcript
          </h2>
          <div className={`contents ${hasFonts ? '' : '[visibility:hidden]'}`}>
            <DraftTranscriptView words={words} />
          </div>
        </section>
      </div>
      <ShortcutsDialog open={help} onOpenChange={setHelp} />
    </PlaybackProvider>
  );
}
