import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '@/e2e/accounts';
import { uploadVideo, waitForProcessing } from '@/e2e/client';
import { projectRoot } from '@/local/up/data-dir';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { composeSettings } from '@/test/compose-settings';
import { testServer } from '@/test/database';
import { h264Mp4, vp8Webm } from '@/test/media/clips';
import { imageSettings, parseDockerfile } from './image/dockerfile';
import { startContainer } from './image/in-root';

const root = process.env.IMAGE_ROOT ?? '';
const MAX_BYTES = 400e6;

async function asAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres((await testServer()).url, { max: 1, onnotice: () => undefined });
  await work(sql).finally(() => sql.end());
}

describe.skipIf(!root)('the image', () => {
  const last = parseDockerfile(readFileSync(join(projectRoot, 'deploy/Dockerfile'), 'utf8')).at(-1);
  if (!last) throw new Error('The Dockerfile has no stages.');
  const image = imageSettings(last);
  const temporary = mkdtempSync(join(tmpdir(), 'daylight-image-tmp-'));
  chmodSync(temporary, 0o1777);
  const name = `image_${randomBytes(8).toString('hex')}`;
  let databaseUrl: string;
  let settings: Record<string, string>;
  const running: ReturnType<typeof run>[] = [];

  function run(command: string[], env: Record<string, string> = {}) {
    const { workdir: cwd, user, entrypoint } = image;
    const all = { ...image.env, ...settings, ...env };
    return startContainer({ root, program: [...entrypoint, ...command], cwd, user, temporary, env: all });
  }

  beforeAll(async () => {
    const url = new URL((await testServer()).appUrl);
    await asAdmin((sql) => sql`create database ${sql(name)} owner ${sql(url.username)}`);
    url.pathname = name;
    databaseUrl = url.href;
    const port = await freePort();
    // What compose.yaml has, at the addresses of this run.
    const addresses = [
      'S3_ENDPOINT',
      'S3_REGION',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
      'INNGEST_BASE_URL',
      'INNGEST_EVENT_KEY',
      'INNGEST_SIGNING_KEY',
    ];
    settings = {
      ...composeSettings(),
      ...Object.fromEntries(addresses.map((name) => [name, process.env[name] ?? ''])),
      S3_BUCKET: 'made-by-the-image',
      DATABASE_URL: databaseUrl,
      APP_URL: `http://localhost:${port}`,
      PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:9',
    };
  });
  afterAll(async () => {
    await Promise.all(running.map((it) => it.stop()));
    await asAdmin((sql) => sql`drop database if exists ${sql(name)} with (force)`);
    rmSync(temporary, { recursive: true, force: true });
  });

  it('is small', () => {
    const [bytes] = execFileSync('du', ['-s', '--block-size=1', root], { encoding: 'utf8' }).split('\t');
    console.log(`The image has ${Math.round(Number(bytes) / 1e6)} MB.`);
    expect(Number(bytes)).toBeLessThan(MAX_BYTES);
  });

  it('migrates, and creates the bucket', async () => {
    for (const [program, line] of [
      ['migrate', /^Applied \d/],
      ['migrate', /up to date/],
      ['bucket', /^✓ Created/],
    ] as const) {
      const container = run(['scripts/run.mjs', program]);
      expect({ code: await container.ended, output: container.output() }).toEqual({
        code: 0,
        output: expect.stringMatching(line),
      });
    }
  });

  it('turns uploads into entries, with ffmpeg in a sandbox, and is healthy', async () => {
    const [app, worker] = [run(image.command), run(['scripts/run.mjs', 'worker'])];
    running.push(app, worker);
    const site = settings.APP_URL ?? '';
    const isHealthy = () =>
      fetch(`${site}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    const healthy = await waitUntil(isHealthy, 240_000);
    expect(healthy, app.output() + worker.output()).toBe(true);
    expect(worker.output()).toMatch(/ffmpeg [^"]*runs in a sandbox/);
    const sql = postgres(databaseUrl, { max: 1 });
    const { api } = await seedAccount(site, sql).finally(() => sql.end());
    for (const [clip, contentType] of [
      [h264Mp4, 'video/mp4'],
      [vp8Webm, 'video/webm'],
    ] as const) {
      const id = await uploadVideo(api, await clip(), { contentType });
      const entry = await waitForProcessing(api, id).catch((error: Error) => {
        throw new Error(`${error.message}\n${worker.output()}`);
      });
      expect(entry).toMatchObject({ status: 'completed', videoStatus: 'ready' });
      expect(entry.thumbnail).toBeTruthy();
    }
  }, 400_000);

  it('passes its own health check, and fails it where nothing listens', async () => {
    const codes = [
      run(['-e', image.healthcheck[2] ?? '']),
      run(['-e', image.healthcheck[2] ?? ''], { PORT: '9' }),
    ];
    expect(await Promise.all(codes.map(({ ended }) => ended))).toEqual([0, 1]);
  });

  it('ends when it’s told to', async () => {
    const [app, worker] = running.splice(0);
    // As systemd and Docker expect of a server that ends by SIGTERM, and of a worker that has finished.
    expect([await app?.stop(), await worker?.stop()]).toEqual([143, 0]);
  });
});
