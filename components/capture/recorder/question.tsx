import { Shuffle, X } from 'lucide';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { nextPrompt, PROMPT_COOKIE } from '@/lib/journal/shared/prompts';
import type { StudioModel } from './use-studio';

const COOKIE_MAX_AGE = 365 * 24 * 3600;

/** Saves on this device whether to ask. */
function saveAsking(asks: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${PROMPT_COOKIE}=off; path=/upload; max-age=${asks ? 0 : COOKIE_MAX_AGE}; samesite=lax`;
}

/** Shows a question to answer, above the picture or over it, and other ones. Whether to ask is saved on this device. */
export function Question({ studio: { question, setQuestion, name, layout } }: { studio: StudioModel }) {
  const canChange = name === 'preview';
  const another = () => {
    saveAsking(true);
    setQuestion(nextPrompt(question));
  };
  if (!question)
    return canChange ? (
      <div className={layout.question}>
        <Button size="sm" variant="ghost" onClick={another}>
          Show a question
        </Button>
      </div>
    ) : null;
  return (
    <div className={layout.question}>
      <p dir="auto" className={layout.questionText}>
        {question}
      </p>
      {canChange && (
        <>
          <Button size="sm" variant="ghost" onClick={another}>
            <Icon of={Shuffle} className="size-4" aria-hidden="true" />
            <span className={layout.questionLabel}>Another question</span>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              saveAsking(false);
              setQuestion('');
            }}
          >
            <Icon of={X} className="size-4" aria-hidden="true" />
            <span className={layout.questionLabel}>No question</span>
          </Button>
        </>
      )}
    </div>
  );
}
