import { useRouter } from 'next/navigation';
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useEarlyInput } from '@/components/ui/early-input';
import { errorSentence } from '@/components/ui/error-sentence';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/http/client';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** What a typed value comes to: a sentence why not, or what to show and what to send. */
export type Checked = { error: string } | { shown: string; body: Record<string, unknown> };

/**
 * A field of an entry that is saved when it is left or Enter is pressed. A value that is refused, here or by the
 * server, is told in a toast and the previous one is restored; Escape restores it too.
 * @returns the attributes of the control
 */
export function useInlineEdit<C extends Control>(
  entryId: string,
  value: string,
  check: (typed: string) => Checked,
) {
  const router = useRouter();
  const [seen, setSeen] = useState(value);
  const [saved, setSaved] = useState(value);
  const [typed, setTyped] = useState<string | null>(null);
  const abandoned = useRef(false);
  if (value !== seen) {
    setSeen(value);
    setSaved(value);
  }

  async function leave(control: Control) {
    const draft = control.value;
    setTyped(null);
    if (abandoned.current || draft === saved) {
      abandoned.current = false;
      return;
    }
    const checked = check(draft);
    if ('error' in checked) return toast.error(checked.error);
    if (checked.shown === saved) return;
    setSaved(checked.shown);
    try {
      await api('POST', `/entry/${entryId}`, { body: checked.body });
      router.refresh();
    } catch (error) {
      setSaved(saved);
      toast.error(errorSentence(error));
    }
  }

  function key(event: KeyboardEvent<Control>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') abandoned.current = true;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
  }

  const type = (control: Control) => setTyped(control.value.replaceAll(/[\r\n]+/g, ' '));
  const ref = useEarlyInput<C>((control) => {
    type(control);
    if (document.activeElement !== control) void leave(control);
  });
  return {
    ref,
    value: typed ?? saved,
    onChange: (event: { currentTarget: Control }) => type(event.currentTarget),
    onBlur: (event: FocusEvent<Control>) => void leave(event.currentTarget),
    onKeyDown: key,
  };
}
