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

const DAY_MS = 86_400_000;

/**
 * Returns the question of a day, the same for everyone. None comes back before all others have been asked.
 * @param day `YYYY-MM-DD`
 */
export function promptOfDay(day: string): string {
  return PROMPTS[Math.floor(Date.parse(day) / DAY_MS) % PROMPTS.length] ?? '';
}

/** The cookie with the number of the last prompt, or `off`. It's how the server knows which one to show. */
export const PROMPT_COOKIE = 'daylight.prompt';

/** Returns the studio's address with a question, which it shows first. */
export const studioHref = (question: string): string => `/upload?question=${PROMPTS.indexOf(question)}`;

/**
 * Returns the prompt of a visit: the one in the studio's address, or another one than the last time.
 * @param cookie the value of the prompt cookie
 * @param asked the number in the address; ignored unless there's a prompt with it
 * @returns empty if they're switched off
 */
export function promptFor(cookie: string | undefined, asked?: string | string[]): string {
  if (cookie === 'off') return '';
  const isNumber = typeof asked === 'string' && /^\d+$/.test(asked);
  return (
    (isNumber ? PROMPTS[Number(asked)] : undefined) ??
    nextPrompt(PROMPTS[Number(cookie ?? Number.NaN)] ?? null)
  );
}
