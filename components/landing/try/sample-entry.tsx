import { SAMPLE_POSTER, SAMPLE_VIDEO } from '@/components/journal/sample/sample';
import sample from '@/components/journal/sample/sample.json';
import { Button } from '@/components/ui/button';
import { WordsAndVideo } from './words-and-video';

/** A sample entry with a voice and clickable words, for visitors without a camera. */
export function SampleEntry({ onTry }: { onTry: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <WordsAndVideo src={SAMPLE_VIDEO} poster={SAMPLE_POSTER} label="Sample entry" words={sample.words} />
      <div className="flex flex-wrap items-center justify-between gap-3 px-1.5 pb-1">
        <p className="text-14 text-ink-2">A sample. Select a word to play from there.</p>
        <Button variant="secondary" onClick={onTry}>
          Try it yourself
        </Button>
      </div>
    </div>
  );
}
