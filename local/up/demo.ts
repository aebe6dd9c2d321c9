import { join } from 'node:path';
import { tsxModule } from './app-server';
import { runNode } from './build';

/**
 * Makes the demo journal with the site's own settings, unless it's there already.
 * @returns how to log in, or why there's none, as a line for the terminal
 */
export async function makeDemo({
  root,
  env,
  log,
  stop,
}: {
  root: string;
  env: NodeJS.ProcessEnv;
  log: (text: string) => void;
  stop: AbortSignal;
}): Promise<string> {
  const script = ['--import', tsxModule, join(root, 'local/demo/seed.ts'), '--demo'];
  const { output } = await runNode(script, { root, env, stop });
  log(output);
  stop.throwIfAborted();
  return /^demo: (.*)$/m.exec(output)?.[1] ?? 'not made; the reason is in the log';
}
