import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
const args = loadSettings('users');

async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-D closes the terminal's input without an answer.
  const closed = once(lines, 'close').then(() => '');
  const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

// Imported later, because modules read the settings.
const { runUsers } = await import('@/lib/operations/operators/commands');
const exitCode = await runUsers(args, {
  print: (text) => console.log(text),
  warn: (text) => console.error(text),
  ...(process.stdin.isTTY && process.stdout.isTTY && { confirm }),
});
process.exit(exitCode);
