import { useRouter } from 'next/navigation';
import { type FocusEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { usePrehydrationText } from '@/components/ui/prehydration-input';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/contract/client';
import { updateEntry } from '@/lib/entries/routes';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** The result of checking a value: what's wrong with it, or what to show and what to send. */
export type ValidationResult =
  | { error: string }
  | { shown: string; body: { title: string } | { date: string } };

/**
 * Saves an entry's field on blur or Enter. If the value is rejected, here or by the server, shows a toast and restores
 * the previous one; Escape restores it too.
 * @returns props for the input
 */
export function useInlineEdit(entryId: string, value: string, check: (typed: string) => ValidationResult) {
  const router = useRouter();
  /** What was saved in place of a value, shown until the page has it too. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what was typed before hydration
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
