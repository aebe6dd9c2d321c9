import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOnce } from '@/local/up/build';
import { projectRoot } from '@/local/up/data-dir';
import type { RealServer } from './server';

/** Another of the machine's users, for whom permissions count: they don't for root. */
export const UNPRIVILEGED_ID = 65534;

/**
 * The traced build alone: what a host like Vercel gets, in a folder that nothing can be written to. Its test starts it.
 */
export const traced: RealServer = {
  name: 'traced',
  programs: [],
  service: null,
  tests: { unit: ['lab/real/traced.test'], e2e: [] },
  differences: {},
  async start({ dir }) {
    const env = { ...process.env, BUILD_STANDALONE: '1', NEXT_TELEMETRY_DISABLED: '1' };
    await buildOnce({ root: projectRoot, env, log: () => undefined, stop: new AbortController().signal });
    const app = join(dir, 'app');
    const temporary = join(dir, 'tmp');
    // As Next says: the build leaves out what a CDN would serve.
    cpSync(join(projectRoot, '.next/standalone'), app, { recursive: true, verbatimSymlinks: true });
    cpSync(join(projectRoot, '.next/static'), join(app, '.next/static'), { recursive: true });
    if (existsSync(join(projectRoot, 'public'))) {
      cpSync(join(projectRoot, 'public'), join(app, 'public'), { recursive: true });
    }
    makeReadOnly(app);
    mkdirSync(temporary);
    if (process.getuid?.() === 0) chownSync(temporary, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    for (const folder of [dir, dirname(dir)]) chmodSync(folder, 0o711);
    return {
      env: { TRACED_APP: app, TRACED_TMP: temporary },
      // Whoever isn't root can't remove what's in a folder that is read-only.
      stop: async () => setMode(app, 0o700, 0o600),
    };
  },
};

const makeReadOnly = (folder: string): void => setMode(folder, 0o555, 0o444);

function setMode(folder: string, folders: number, files: number): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setMode(path, folders, files);
    else if (entry.isFile()) chmodSync(path, files);
  }
  chmodSync(folder, folders);
}
