import { EditableQuestion } from '@/components/journal/entries/editable-question';
import { Button } from '@/components/ui/button';
import type { StudioModel } from './use-studio';

/** Heads the review: the question that a recording answers, or else what's to decide; and how to discard it. */
export function ReviewHead({
  studio: { file, recording, busy, discard, changeAnswered, layout },
}: {
  studio: StudioModel;
}) {
  const shown = file ? null : recording;
  return (
    <div className={layout.reviewHead} data-question={shown?.question ? '' : undefined}>
      <div className="min-w-0 grow">
        {shown?.question ? (
          <EditableQuestion
            question={shown.question}
            disabled={busy}
            onChange={(question) => changeAnswered(shown, question ?? undefined)}
          />
        ) : (
          <h2 className="heading text-[clamp(26px,1rem+2vw,36px)]">
            {file ? 'Ready to upload?' : 'Keep this one?'}
          </h2>
        )}
        {shown?.id != null && (
          <p className="mt-1 text-15 text-ink-2">It’s saved on this device until you decide.</p>
        )}
      </div>
      {shown && !busy && (
        <Button variant="ghost" onClick={() => discard(shown)}>
          Discard
        </Button>
      )}
    </div>
  );
}
