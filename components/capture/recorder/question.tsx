import { Shuffle, X } from 'lucide';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { nextPrompt, PROMPT_COOKIE, PROMPTS } from '@/lib/journal/shared/prompts';
import type { StudioModel } from './use-studio';

const COOKIE_MAX_AGE = 365 * 24 * 3600;

function savePrompt(prompt: string): void {
  const value = prompt ? PROMPTS.indexOf(prompt) : 'off';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${PROMPT_COOKIE}=${value}; path=/upload; max-age=${COOKIE_MAX_AGE}; samesite=lax`;
}

/** Shows a question to answer, above the picture or over it, and other ones. Whether to show any is saved on this device. */
export function Question({ studio: { question, name, layout } }: { studio: StudioModel }) {
  const canChange = name === 'preview';
  const [text, setText] = useState(question);
  useEffect(() => savePrompt(text), [text]);
  const another = () => setText((present) => nextPrompt(present));
  if (!text)
    return canChange ? (
      <div className={layout.question}>
        <Button size="sm" variant="ghost" onClick={another}>
          Show a question
        </Button>
      </div>
    ) : null;
  return (
    <div className={layout.question}>
      <p className={layout.questionText}>{text}</p>
      {canChange && (
        <>
          <Button size="sm" variant="ghost" onClick={another}>
            <Icon of={Shuffle} className="size-4" aria-hidden="true" />
            <span className={layout.questionLabel}>Another question</span>
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setText('')}>
            <Icon of={X} className="size-4" aria-hidden="true" />
            <span className={layout.questionLabel}>No question</span>
          </Button>
        </>
      )}
    </div>
  );
}
