import { useCallback, useEffect, useState } from 'react';
import { recall, remember } from '@/components/ui/browser-storage';
import { nextPrompt } from './prompts';

const HIDDEN = 'daylight-prompts-hidden';
const LAST = 'daylight-last-prompt';

export interface Prompts {
  /** Empty while prompts are hidden, and on the server. */
  text: string;
  another: () => void;
  show: () => void;
  hide: () => void;
}

/** A prompt that is another one with every visit; whether they are wanted is remembered on this device. */
export function usePrompts(): Prompts {
  const [text, setText] = useState('');
  const another = useCallback(() => {
    const next = nextPrompt(recall(LAST));
    remember(LAST, next);
    setText(next);
  }, []);
  useEffect(() => {
    if (!recall(HIDDEN)) another();
  }, [another]);
  const show = useCallback(() => {
    remember(HIDDEN, null);
    another();
  }, [another]);
  const hide = useCallback(() => {
    remember(HIDDEN, 'yes');
    setText('');
  }, []);
  return { text, another, show, hide };
}
