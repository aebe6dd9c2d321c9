import { useCallback, useEffect, useState } from 'react';
import { deviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
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
    const next = nextPrompt(deviceSetting(LAST));
    setDeviceSetting(LAST, next);
    setText(next);
  }, []);
  useEffect(() => {
    if (!deviceSetting(HIDDEN)) another();
  }, [another]);
  const show = useCallback(() => {
    setDeviceSetting(HIDDEN, null);
    another();
  }, [another]);
  const hide = useCallback(() => {
    setDeviceSetting(HIDDEN, 'yes');
    setText('');
  }, []);
  return { text, another, show, hide };
}
