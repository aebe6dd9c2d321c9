import { Pencil } from 'lucide';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextAreaField } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import { MAX_QUESTION } from '@/lib/journal/shared/prompts';
import { QuestionHeading } from './question-heading';

/**
 * Shows the question that an entry answers, which can be changed or removed in place. Enter saves, and Escape restores.
 * @param onChange gets the new question, null if it's removed
 */
export function EditableQuestion({
  question,
  disabled,
  onChange,
}: {
  question: string;
  disabled?: boolean;
  onChange: (question: string | null) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  function save(typed: string) {
    setEditing(false);
    const changed = isBlank(typed) ? null : cleanText(typed);
    if (changed !== question) onChange(changed);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save(String(new FormData(event.currentTarget).get('question')));
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    const key = keyOf(event);
    if (key === 'Escape') setEditing(false);
    if (key !== 'Enter') return;
    event.preventDefault();
    save(event.currentTarget.value);
  }

  if (!isEditing)
    return (
      <QuestionHeading question={question}>
        {!disabled && (
          <button
            ref={edit}
            type="button"
            aria-label="Edit question"
            onClick={() => setEditing(true)}
            className="grid size-11 shrink-0 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
          >
            <Icon of={Pencil} className="size-4.5" aria-hidden="true" />
          </button>
        )}
      </QuestionHeading>
    );
  return (
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-3">
      <TextAreaField
        label="Question"
        name="question"
        defaultValue={question}
        maxLength={MAX_QUESTION}
        onKeyDown={press}
        autoFocus
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm">
          Save question
        </Button>
        <Button size="sm" variant="secondary" onClick={() => setEditing(false)}>
          Cancel
        </Button>
        <Button size="sm" variant="ghost" onClick={() => save('')}>
          Remove question
        </Button>
      </div>
    </form>
  );
}
