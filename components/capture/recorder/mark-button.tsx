import { StickyNote } from 'lucide';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { useKeyLabels } from '@/components/ui/use-key-labels';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';
import type { StudioModel } from './use-studio';

const KEY = 'M';

/** Marks this second of the recording, by a press or a key, and says so. */
export function MarkButton({ studio: { camera, recorder, layout } }: { studio: StudioModel }) {
  const labelKeys = useKeyLabels();
  useKeyboardShortcuts((key) => (key.toUpperCase() === KEY ? recorder.mark : undefined));
  const last = camera.phase === 'recording' ? camera.marks.at(-1) : undefined;
  return (
    <>
      <Button
        size="lg"
        variant="secondary"
        className={layout.small}
        aria-keyshortcuts={KEY}
        disabled={camera.phase === 'stopping'}
        onClick={recorder.mark}
      >
        <Icon of={StickyNote} className="size-4" aria-hidden="true" />
        <span className={layout.label}>Mark</span>
        <span aria-hidden="true" className="text-13 font-normal text-ink-3 max-sm:hidden">
          {labelKeys(KEY)}
        </span>
      </Button>
      <p role="status" className={layout.marked}>
        {last && `Marked ${formatDuration(last.seconds)}`}
      </p>
    </>
  );
}
