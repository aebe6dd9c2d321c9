import { useRouter } from 'next/navigation';
import { type FocusEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { usePrehydrationText } from '@/components/ui/prehydration-input';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/contract/client';
import { updateEntry } from '@/lib/entries/routes';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** What a typed value comes to: a sentence why not, or what to show and what to send. */
export type ValidationResult =
  | { error: string }
  | { shown: string; body: { title: string } | { date: string } };

/**
 * A field of an entry that is saved when it is left or Enter is pressed. A value that is refused, here or by the
 * server, is told in a toast and the previous one is restored; Escape restores it too.
 * @returns the attributes of the control
 */
export function useInlineEdit(entryId: string, value: string, check: (typed: string) => ValidationResult) {
  const router = useRouter();
  /** What was sent in place of a value, until the page has it too. */
  const [sent, setSent] = useState<{ before: string; after: string } | null>(null);
  const saved = sent?.before === value ? sent.after : value;
  const [typed, setTyped] = useState<string | null>(null);
  const cancelled = useRef(false);

  async function save(draft: string) {
    setTyped(null);
    if (cancelled.current || draft === saved) {
      cancelled.current = false;
      return;
    }
    const checked = check(draft);
    if ('error' in checked) return toast.error(checked.error);
    if (checked.shown === saved) return;
    setSent({ before: value, after: checked.shown });
    try {
      await call(updateEntry, { params: { id: entryId }, body: checked.body });
      router.refresh();
    } catch (error) {
      setSent(sent);
      showError(error);
    }
  }

  function handleKeyDown(event: KeyboardEvent<Control>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') cancelled.current = true;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
  }

  const type = (text: string) => setTyped(text.replaceAll(/[\r\n]+/g, ' '));
  const id = useId();
  const early = usePrehydrationText(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, with what was typed before it could run
  useLayoutEffect(() => {
    if (early === null) return;
    if (document.activeElement?.id === id) type(early);
    else void save(early);
  }, []);
  return {
    id,
    value: typed ?? saved,
    onChange: (event: { currentTarget: Control }) => type(event.currentTarget.value),
    onBlur: (event: FocusEvent<Control>) => void save(event.currentTarget.value),
    onKeyDown: handleKeyDown,
  };
}
