import { useId, useState } from 'react';
import { editableText } from '@/components/journal/transcript/transcript-draft';
import { Button } from '@/components/ui/button';
import { showProblem } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import type { Edit } from './edit';
import { endEdit, retryEdit } from './edit-store';
import { isStored } from './use-edits';

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success('Copied.');
  } catch {
    showProblem('Your browser didn’t let us copy. Select the text and copy it.');
  }
}

function explain({ problem, kind }: Edit): string {
  const what = kind === 'corrected-transcript' ? 'transcript' : 'note';
  return problem?.kind === 'refused'
    ? `We couldn’t save this ${what}. ${problem.message}`
    : `This ${what} can’t be saved, because its entry was deleted or is in the trash. Restore the entry and try again, or copy your text.`;
}

/**
 * Says why an edit can't be saved, with its text to copy before it's discarded.
 * @param onRetry called when it's to be sent once more
 */
export function UnsentEdit({ edit, onRetry }: { edit: Edit; onRetry: () => void }) {
  const [busy, setBusy] = useState(false);
  const id = useId();
  const text = edit.kind === 'corrected-transcript' ? editableText(edit.words) : edit.text;
  async function change(work: Promise<void>) {
    setBusy(true);
    if (await isStored(work)) onRetry();
    setBusy(false);
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-15 font-semibold">
        {edit.kind === 'corrected-transcript' ? 'Transcript of' : 'Note on'} “<bdi>{edit.title}</bdi>”
      </h3>
      <p className="text-15 text-ink-2">{explain(edit)}</p>
      <textarea
        readOnly
        dir="auto"
        aria-label="Your text"
        value={text}
        className="control max-h-72 min-h-24 font-serif text-16 leading-7 [field-sizing:content]"
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="secondary" onClick={() => void copy(text)}>
          Copy text
        </Button>
        <Button size="sm" variant="secondary" busy={busy} onClick={() => void change(retryEdit(edit))}>
          Try again
        </Button>
        <Button
          size="sm"
          variant="danger"
          busy={busy}
          onClick={() => void change(endEdit(edit, (newer) => newer))}
        >
          Discard change
        </Button>
      </div>
    </section>
  );
}
