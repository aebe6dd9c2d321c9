import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '@/local/up/data-dir';
import { waitUntil } from '@/local/up/processes';

/** Builds the programs that run beside the site, as `npm run build` does, and runs them. */
export async function buildPrograms() {
  // Below node_modules, where the packages are found.
  const folder = await mkdtemp(join(projectRoot, 'node_modules', '.daylight-programs-'));
  const build = ['--import', 'tsx', 'scripts/build-programs.ts', folder];
  await promisify(execFile)(process.execPath, build, { cwd: projectRoot });
  return {
    /**
     * Starts a program with this test's own settings and `env`.
     * @param args of the program
     * @param input what it reads from stdin
     */
    start(
      name: 'alert' | 'doctor' | 'migrate' | 'users' | 'worker',
      env: Record<string, string> = {},
      args: string[] = [],
      input = '',
    ) {
      const child = spawn(process.execPath, [join(folder, `${name}.mjs`), ...args], {
        cwd: projectRoot,
        env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', ...env } as NodeJS.ProcessEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      // A program that ends without reading it closes the pipe.
      child.stdin.on('error', () => undefined).end(input);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
        });
      }
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
      const shows = (text: string) => waitUntil(() => output.includes(text), 60_000);
      return { child, ended, shows };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
