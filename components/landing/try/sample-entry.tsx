import { SAMPLE_POSTER, SAMPLE_VIDEO } from '@/components/journal/sample/sample';
import sample from '@/components/journal/sample/sample.json';
import { Button } from '@/components/ui/button';
import { WordsAndVideo } from './words-and-video';

/**
 * Plays a sample entry with a voice and clickable words.
 * @param onTry lets visitors record themselves, if they can
 */
export function SampleEntry({ onTry }: { onTry: (() => void) | null }) {
  return (
    <div className="flex min-h-0 grow flex-col gap-3">
      <WordsAndVideo
        src={SAMPLE_VIDEO}
        poster={SAMPLE_POSTER}
        label="Sample entry"
        autoPlay
        words={sample.words}
      />
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 px-1.5 pb-1">
        <p className="text-14 text-ink-2">A sample. Select a word to play from there.</p>
        {onTry && (
          <Button variant="secondary" onClick={onTry}>
            Try it yourself
          </Button>
        )}
      </div>
    </div>
  );
}
