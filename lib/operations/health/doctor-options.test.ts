import { expect, it } from 'vitest';
import { runDoctor } from './doctor';

it.each([
  [['--dta'], /^Unknown option '--dta'/],
  [['--only', '01-9'], /^--only takes the beginning of an account’s id/],
  [['--data', '--delete-many'], /^--delete-many only works with --repair\./],
])('explains what’s wrong with %j before it checks anything', async (args, explanation) => {
  const printed: string[] = [];
  const code = await runDoctor(args, (line) => printed.push(line));
  expect([code, ...printed]).toEqual([2, expect.stringMatching(explanation)]);
});
