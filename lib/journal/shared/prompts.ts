/** How many characters (code points) a question has at most. */
export const MAX_QUESTION = 300;

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

/** The cookie that's `off` for people who don't want to be asked in the studio. */
export const PROMPT_COOKIE = 'daylight.prompt';

/** Returns the studio's address with a question, which it asks if it's a prompt. */
export function studioHref(question: string): string {
  const number = PROMPTS.indexOf(question);
  return number < 0 ? '/upload' : `/upload?question=${number}`;
}

/**
 * Returns the question in the studio's address.
 * @param asked the number in the address
 * @returns undefined unless there's a prompt with it
 */
export const promptInAddress = (asked: string | string[] | null | undefined): string | undefined =>
  typeof asked === 'string' && /^\d+$/.test(asked) ? PROMPTS[Number(asked)] : undefined;
