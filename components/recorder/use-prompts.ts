import { useCallback, useEffect, useState } from 'react';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { nextPrompt } from './prompts';

const HIDDEN_KEY = 'daylight-prompts-hidden';
const LAST_PROMPT_KEY = 'daylight-last-prompt';

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
    const next = nextPrompt(getDeviceSetting(LAST_PROMPT_KEY));
    setDeviceSetting(LAST_PROMPT_KEY, next);
    setText(next);
  }, []);
  useEffect(() => {
    if (!getDeviceSetting(HIDDEN_KEY)) another();
  }, [another]);
  const show = useCallback(() => {
    setDeviceSetting(HIDDEN_KEY, null);
    another();
  }, [another]);
  const hide = useCallback(() => {
    setDeviceSetting(HIDDEN_KEY, 'yes');
    setText('');
  }, []);
  return { text, another, show, hide };
}
