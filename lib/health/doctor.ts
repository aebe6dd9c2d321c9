import { env } from '@/lib/env';
import { CHECK_NAMES, type Finding, runCheck } from './checks';

const INDENT = '    ';

/** Returns the lines about one check. */
function describe(name: string, { problems, notes = [] }: Finding): string {
  const mark = problems.length > 0 ? '✗' : '✓';
  const lines = [...problems, ...notes].flatMap((text) => text.split('\n'));
  return [`${mark} ${name}`, ...lines.map((line) => INDENT + line)].join('\n');
}

/**
 * Checks the settings and everything they point to, and prints a line for each. Works whether or not the app runs.
 * Prints no value of a secret.
 * @returns the exit code: 1 if something is wrong
 */
export async function examine(print: (line: string) => void): Promise<number> {
  try {
    env();
  } catch (error) {
    print(describe('Settings', { problems: [error instanceof Error ? error.message : String(error)] }));
    return 1;
  }
  print(describe('Settings', { problems: [] }));
  const checks = CHECK_NAMES.map((name) => ({ name, finding: runCheck(name) }));
  let isHealthy = true;
  for (const { name, finding } of checks) {
    const found = await finding;
    isHealthy &&= found.problems.length === 0;
    print(describe(name, found));
  }
  return isHealthy ? 0 : 1;
}
