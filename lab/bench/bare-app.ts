import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '@/local/up/data-dir';
import { freePort } from '@/local/up/ports';
import { type Server, spawnServer } from './app';

/**
 * Builds and serves the empty Next app of `lab/bench/bare`, with the project's own packages and the same server: what
 * Next and React themselves cost.
 */
export async function startBareApp(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-bare-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    cpSync(join(projectRoot, 'lab', 'bench', 'bare'), folder, { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const next = join('node_modules', 'next', 'dist', 'bin', 'next');
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
    await promisify(execFile)(process.execPath, [next, 'build'], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const port = await freePort();
    const { child, stop } = await spawnServer([next, 'start', '-p', String(port)], {
      ready: 'Ready in',
      cwd: folder,
      env,
    });
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      stop: async () => {
        await stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
