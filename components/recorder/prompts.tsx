import { Shuffle } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { Button } from '@/components/ui/button';

/** What a friend with time to listen would ask. */
export const PROMPTS = [
  'What surprised you about today?',
  'What do you want to remember about this week?',
  'Who was on your mind today?',
  'What are you looking forward to?',
  'What was harder than it looked?',
  'What would you tell yourself a year from now?',
  'What made you laugh?',
  'What did you eat today that was worth it?',
  'What did you put off, and why?',
  'Who did you talk to, and what stuck with you?',
  'What did you notice when you were out today?',
  'What’s on your desk or kitchen table right now?',
  'What did you change your mind about?',
  'What song has been in your head?',
  'What are you in the middle of right now?',
  'What did you finish?',
  'What would you do again tomorrow?',
  'What would you have skipped today?',
  'What do you know now that you didn’t know on Monday?',
  'What small thing went well?',
  'What did someone say that you keep thinking about?',
  'What are you reading, watching, or listening to?',
  'What’s it like outside, and did you get out in it?',
  'What did you almost forget to mention?',
  'Where were you glad to be today, and where would you rather have been?',
  'What’s different from this time last year?',
  'What are you getting better at?',
  'What’s keeping you up at night, or did you sleep well?',
  'What did you spend money on, and was it worth it?',
  'Who do you owe a call?',
  'What’s the next decision you have to make?',
  'What did today smell, sound, or feel like?',
  'What have you been telling everyone lately?',
  'What haven’t you told anyone yet?',
  'What’s the story behind something you’re wearing?',
  'Where would you take someone visiting your town?',
  'What made you stop and look?',
  'What did you do with your hands today?',
  'What will you miss when it’s over?',
  'What should the person watching this in ten years know?',
];

/**
 * Returns a prompt other than the current one.
 * @param random at least 0 and below 1
 */
export function nextPrompt(present: string | null, random = Math.random()): string {
  const others = PROMPTS.filter((prompt) => prompt !== present);
  return others[Math.floor(random * others.length)] ?? '';
}

const HIDDEN_KEY = 'daylight-prompts-hidden';
const LAST_PROMPT_KEY = 'daylight-last-prompt';

export interface Prompts {
  /** Empty while prompts are hidden and on the server. */
  text: string;
  another: () => void;
  show: () => void;
  hide: () => void;
}

/** Picks a new prompt on every visit. Whether to show prompts is saved on this device. */
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

/** Shows, changes, and hides the prompt. */
export function PromptButtons({ prompts: { text, another, show, hide } }: { prompts: Prompts }) {
  if (!text)
    return (
      <Button size="sm" variant="ghost" onClick={show}>
        Show a prompt
      </Button>
    );
  return (
    <>
      <Button size="sm" variant="ghost" onClick={another}>
        <Shuffle className="size-4" aria-hidden="true" />
        Another prompt
      </Button>
      <Button size="sm" variant="ghost" onClick={hide}>
        Hide prompt
      </Button>
    </>
  );
}
