import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';
import { freePort } from '@/local/up/ports';
import { expect, test } from '../fixtures';

test('a server without settings lists them and exits with 1', async () => {
  const next = join(projectRoot, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = spawn(process.execPath, [next, 'start', '-p', String(await freePort())], {
    cwd: projectRoot,
    env: { ...process.env, ...CLEARED_ENV, NODE_ENV: 'production', APP_URL: 'http://localhost:3000' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    for (const name of ['AUTH_SECRET', 'DATABASE_URL', 'S3_BUCKET', 'INNGEST_SIGNING_KEY', 'MAIL_FROM']) {
      expect(errors).toContain(`\n  ${name} is missing`);
    }
    expect(errors).not.toContain('APP_URL is missing');
  } finally {
    child.kill('SIGKILL');
  }
});
