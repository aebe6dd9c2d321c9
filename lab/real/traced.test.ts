import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '@/e2e/accounts';
import { createClient, uploadVideo, waitForProcessing } from '@/e2e/client';
import { type Runner, startRunner } from '@/local/inngest/server';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { vp8Webm } from '@/test/media/clips';
import { spokenClip } from '@/test/media/speech';
import { startLocalServices } from '@/test/services';
import { UNPRIVILEGED_ID } from './servers/traced';

const { TRACED_APP: folder = '', TRACED_TMP: temporary = '' } = process.env;
const SIGNING_KEY = `signkey-test-${'0123456789abcdef'.repeat(4)}`;

describe.skipIf(!folder)('the traced build, with nothing but Node', () => {
  let services: Awaited<ReturnType<typeof startLocalServices>>;
  let runner: Runner;
  let app: ChildProcess;
  let site: string;
  let output = '';

  beforeAll(async () => {
    services = await startLocalServices();
    const signing = { eventKey: 'key', signingKey: SIGNING_KEY };
    runner = await startRunner({ databaseUrl: services.databaseUrl, ...signing });
    const port = await freePort();
    site = `http://localhost:${port}`;
    const programs = join(dirname(folder), 'bin');
    mkdirSync(programs);
    symlinkSync(process.execPath, join(programs, 'node'));
    const isRoot = process.getuid?.() === 0;
    app = spawn('node', ['server.js'], {
      cwd: folder,
      env: {
        ...Object.fromEntries(SETTINGS.map((name) => [name, process.env[name]])),
        NODE_ENV: 'production',
        PATH: programs,
        TMPDIR: temporary,
        PORT: String(port),
        APP_URL: site,
        INNGEST_BASE_URL: runner.url,
        INNGEST_EVENT_KEY: signing.eventKey,
        INNGEST_SIGNING_KEY: signing.signingKey,
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}),
    });
    for (const stream of [app.stdout, app.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    const isReady = () =>
      fetch(site).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await waitUntil(isReady, 120_000))) throw new Error(`It didn't start:\n${output}`);
  });
  afterAll(async () => {
    if (app.exitCode === null) {
      const ended = once(app, 'exit');
      app.kill('SIGKILL');
      await ended;
    }
    await runner.close();
    await services.end();
  });

  it.each([
    ['a copy', async () => (await spokenClip()).path, 'video/mp4', /a more amiable woman/],
    ['a transcode', vp8Webm, 'video/webm', /^$/],
  ])('turns an upload into a video and a transcript, by %s', async (_, clip, contentType, said) => {
    const sql = postgres(services.databaseUrl, { max: 1 });
    const { api } = await seedAccount(site, sql);
    await sql.end();
    const id = await uploadVideo(api, await clip(), { contentType });
    const entry = await waitForProcessing(api, id, 'transcript').catch((error: Error) => {
      throw new Error(`${error.message}\n${output}`);
    });
    expect(entry).toMatchObject({ status: 'completed', videoStatus: 'ready' });
    const { status, words } = entry.transcription;
    expect(['completed', 'no_speech'], entry.transcription.error ?? '').toContain(status);
    expect(words.map(({ word }) => word).join(' ')).toMatch(said);
    expect(entry.thumbnail).toBeTruthy();
    const video = await createClient(site).send('GET', entry.videoUrl ?? '', {
      redirect: 'follow',
      headers: { cookie: cookiesOf(api) },
    });
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  });

  it('uses WebAssembly, as there is no program, and leaves no file', async () => {
    expect(output).toContain('@ffmpeg/core');
    const left = () => readdirSync(join(temporary, 'daylight-work')).length === 0;
    expect(await waitUntil(left, 60_000)).toBe(true);
  });

  it('says that it’s healthy', async () => {
    const isHealthy = async () => (await fetch(`${site}/api/health`)).ok;
    expect(await waitUntil(isHealthy, 60_000)).toBe(true);
  });
});

const cookiesOf = ({ cookies }: ReturnType<typeof createClient>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** What the app is told of the services that the test has started. */
const SETTINGS = [
  'AUTH_SECRET',
  'DATABASE_URL',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
  'RESEND_API_KEY',
  'RESEND_BASE_URL',
  'MAIL_FROM',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_BASE',
];
