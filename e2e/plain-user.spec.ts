import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import postgres from 'postgres';
import { asOwnerOf, canDropRights, plainUser } from '@/lab/real/plain-user';
import { findProgram } from '@/lab/real/process';
import { needsInstall } from '@/local/up/bootstrap.mjs';
import { projectRoot } from '@/local/up/data-dir';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { h264Mp4 } from '@/test/media/clips';
import { testedService } from '@/test/tested-services';
import { signUp } from './accounts';
import { uploadVideo, waitForProcessing } from './client';
import { expectPlays } from './journeys/video-assertions';
import { openMailbox } from './mailbox';
import { newDataDir, removeDataDir } from './running-app';

/** The build is there, since the copy that all tests share has started. Milliseconds. */
const READY_TIMEOUT_MS = 120_000;

/** Returns why this machine can't run the test, or null. */
function findObstacle(): string | null {
  if (process.platform !== 'linux') return 'It takes namespaces, which only Linux has.';
  if (testedService('storage') ?? testedService('jobs')) return 'It starts an installation of its own.';
  const bwrap = findProgram('bwrap');
  if (!bwrap) return 'bubblewrap isn’t installed.';
  if (!canDropRights(bwrap)) return 'This system doesn’t let bubblewrap create a user namespace.';
  if (!existsSync(join(projectRoot, '.next/BUILD_ID'))) return 'The site isn’t built.';
  // It would install them while other tests use them.
  return needsInstall(projectRoot) ? 'The installed packages differ from the lockfile: run `npm ci`.' : null;
}

/** Runs README's first command with nothing on PATH but Node, npm, and a shell. Returns when it's ready. */
async function startUp(dataDir: string): Promise<{ up: ChildProcess; output: () => string }> {
  const user = plainUser(dataDir, process.execPath);
  const command = asOwnerOf(findProgram('bwrap') ?? '', [projectRoot, dataDir], ['npm', 'run', 'up']);
  // A group of processes, as in a terminal, where Ctrl-C reaches all of them.
  const up = spawn(...command, {
    cwd: projectRoot,
    detached: true,
    env: { ...user.env, DATA_DIR: join(dataDir, 'data'), PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [up.stdout, up.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const isReady = () => output.includes('Ready on ');
  await waitUntil(() => up.exitCode !== null || isReady(), READY_TIMEOUT_MS, 250);
  if (!isReady()) {
    await stop(up);
    throw new Error(`It isn't ready:\n${output}`);
  }
  return { up, output: () => output };
}

async function stop(up: ChildProcess): Promise<void> {
  if (!up.pid || up.exitCode !== null || up.signalCode !== null) return;
  const ended = once(up, 'exit');
  process.kill(-up.pid, 'SIGINT');
  await ended;
}

test('`npm run up` needs nothing but Node, and no rights', async ({ page, context }) => {
  const obstacle = findObstacle();
  test.skip(obstacle !== null, obstacle ?? '');
  test.setTimeout(300_000);
  const dataDir = newDataDir();
  const clip = await h264Mp4();
  const { up, output } = await startUp(dataDir);
  try {
    expect(output()).toContain('video: ffmpeg as WebAssembly');
    const read = (name: string) => JSON.parse(readFileSync(join(dataDir, 'data', name), 'utf8'));
    const addresses = read('local.json');
    const sql = postgres(addresses.database, { max: 1 });
    const [row] = await sql<{ version: string }[]>`select version()`;
    await sql.end();
    expect(row?.version).toMatch(/^PostgreSQL 18\./);

    const { api } = await signUp(addresses.app, openMailbox({ addresses, secrets: read('secrets.json') }));
    const id = await uploadVideo(api, clip, { title: 'Without ffmpeg' });
    expect((await waitForProcessing(api, id)).videoStatus).toBe('ready');

    const cookies = [...api.cookies].map(([name, value]) => ({
      name,
      value,
      url: addresses.app,
      httpOnly: true,
    }));
    await context.addCookies(cookies);
    await page.goto(`${addresses.app}/entry/${id}`);
    await expectPlays(page.locator('video'));
  } finally {
    await stop(up);
    removeDataDir(dataDir);
  }
});
