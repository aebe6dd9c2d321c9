import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { DraftTranscript } from '@/lib/speech/draft';
import { SAMPLE_POSTER, SAMPLE_VIDEO, SAMPLE_WORDS } from './sample';
import { WordsAndVideo } from './words-and-video';

type Words = DraftTranscript['words'];

/** Loads the sample's words. Without them, its video still plays. */
async function loadWords(): Promise<Words> {
  const answer = await fetch(SAMPLE_WORDS);
  return ((await answer.json()) as { words: Words }).words;
}

/** A sample entry with a voice and clickable words, for visitors without a camera. */
// A default export, as `lazy` asks for one.
// biome-ignore lint/style/noDefaultExport: see above
export default function SampleEntry({ onTry }: { onTry: () => void }) {
  const [words, setWords] = useState<Words>([]);
  useEffect(() => {
    let over = false;
    loadWords().then(
      (loaded) => over || setWords(loaded),
      () => {},
    );
    return () => {
      over = true;
    };
  }, []);
  return (
    <div className="flex flex-col gap-3">
      <WordsAndVideo src={SAMPLE_VIDEO} poster={SAMPLE_POSTER} label="Sample entry" words={words} />
      <div className="flex flex-wrap items-center justify-between gap-3 px-1.5 pb-1">
        <p className="text-14 text-ink-2">A sample. Select a word to play from there.</p>
        <Button variant="secondary" onClick={onTry}>
          Try it yourself
        </Button>
      </div>
    </div>
  );
}
