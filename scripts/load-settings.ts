import { readFileSync } from 'node:fs';
import nextEnv from '@next/env';

const silent = { info: () => undefined, error: () => undefined };

/**
 * Takes `--env-file FILE` out of the arguments. Node 20 takes it for an option of its own even behind the program's name,
 * and has loaded the file by now.
 */
function takeEnvFile(given: string[]): { file: string | undefined; args: string[] } {
  const at = given.findIndex((argument) => /^--env-file(=|$)/.test(argument));
  if (at < 0) return { file: undefined, args: given };
  const [, inline] = (given[at] ?? '').split(/=(.*)/s);
  const file = inline ?? given[at + 1] ?? '';
  return { file, args: given.toSpliced(at, inline === undefined ? 2 : 1) };
}

/** Sets the variables in one file. Ends the process if it can't be read. */
function loadFile(path: string): void {
  try {
    const file = { path, contents: readFileSync(path, 'utf8'), env: {} };
    nextEnv.processEnv([file], process.cwd(), silent, true);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'doesn’t exist' : 'can’t be read';
    console.error(
      path ? `The file ${path} in --env-file ${reason}.` : 'Name a file: --env-file production.env',
    );
    process.exit(1);
  }
}

/**
 * Sets up the environment as `next start` does, with `.env` and its like, or with the file that `--env-file` names and
 * nothing else. Variables that are set already win.
 * @param program what the process runs, which may be the first argument
 * @returns the other arguments
 */
export function loadSettings(program?: string): string[] {
  Object.assign(process.env, {
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    // It would print several lines that aren't JSON.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  });
  const { file, args } = takeEnvFile(process.argv.slice(process.argv[2] === program ? 3 : 2));
  if (file === undefined)
    nextEnv.loadEnvConfig(process.cwd(), process.env.NODE_ENV === 'development', silent);
  else loadFile(file);
  return args;
}
