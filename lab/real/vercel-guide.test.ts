import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { BROWSER_ARGUMENTS, findHeadlessShell } from '@/test/chromium';
import { makeFirstAccount, playEntry, recordEntry } from './first-entry';
import { type PlatformApi, startPlatformApi } from './vercel/api';
import { commandsUnder, guideRunner } from './vercel/guide';
import { type Providers, startProviders } from './vercel/providers';

const { VERCEL_PROJECT: project = '', VERCEL_BWRAP: bwrap = '', VERCEL_PROGRAM: vercel = '' } = process.env;

describe.skipIf(!project)('the guide, word by word', () => {
  const dir = project ? mkdtempSync(join(project, '../guide-')) : '';
  let api: PlatformApi;
  let providers: Providers;
  let site: string;
  let run: (block: string) => Promise<string>;
  let platform: ChildProcess | undefined;
  let output = '';
  let browser: Browser | undefined;
  let code = '';

  beforeAll(async () => {
    site = `http://localhost:${await freePort()}`;
    providers = await startProviders(dir, site);
    api = await startPlatformApi();
    const buildLog = join(dir, 'build.log');
    run = guideRunner({ dir: join(dir, 'bin'), project, vercel, api: api.url, buildLog });
    rmSync(join(project, '.vercel/project.json'));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    if (platform) {
      const ended = once(platform, 'exit');
      platform.kill('SIGTERM');
      await ended;
    }
    await providers.close();
    await api.close();
  });

  /** Fills in what the guide leaves empty, and where providers stand in on this machine. */
  function fillIn(text: string): string {
    const values: Record<string, string> = { APP_URL: site, ...providers.settings };
    const lines = text
      .trim()
      .split('\n')
      .map((line) => {
        const [name = ''] = line.split('=');
        return values[name] === undefined ? line : `${name}=${values[name]}`;
      });
    const addresses = Object.entries(providers.addresses).map(([name, value]) => `${name}=${value}`);
    return [...lines, ...addresses, ''].join('\n');
  }

  it('links the project, and adds the domain before anything else', async () => {
    for (const block of commandsUnder('The project and its domain')) await run(block);
    expect(api.domains).toEqual(['journal.example.com']);
  });

  it('sends the settings from one file, which the doctor has checked', async () => {
    const [write = '', send = ''] = commandsUnder('The settings');
    await run(write);
    const file = join(project, 'production.env');
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^AUTH_SECRET=.{44}$/m);
    writeFileSync(file, fillIn(text));
    // No site is there to run jobs yet, which the guide says.
    const said = await run(send.replace(/^npm run daylight -- doctor.*$/m, '$& || true'));
    expect(said).toMatch(/✓ Settings/);
    expect(said).toMatch(/✓ Storage/);
    const sent = readFileSync(file, 'utf8').trim().split('\n');
    expect([...api.settings].map(([key, value]) => `${key}=${value}`)).toEqual(sent);
  }, 180_000);

  it('migrates when it deploys, and shows the setup code in the build’s log', async () => {
    const [deploy = ''] = commandsUnder('Deploy, and make the first account');
    // What vercel.ts has production builds run first, with the settings that the platform has.
    const settings = Object.fromEntries(api.settings);
    const exports = Object.entries(settings).map(([key, value]) => `export ${key}='${value}'\n`);
    const log = await run(`${exports.join('')}npm run db:migrate`);
    writeFileSync(join(dir, 'build.log'), log);
    const shown = await run(deploy);
    code = /\b\d{4} \d{4}\b/.exec(shown)?.[0] ?? '';
    expect(code).not.toBe('');
    platform = spawn(process.execPath, ['--import', 'tsx', 'lab/real/vercel/serve.ts', project, bwrap], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        FFMPEG_PATH: process.env.FFMPEG_PATH,
        FFPROBE_PATH: process.env.FFPROBE_PATH,
        ...settings,
        PORT: new URL(site).port,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [platform.stdout, platform.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    const isHealthy = () =>
      fetch(`${site}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    // It registers its jobs itself, and a first job has to run.
    expect(await waitUntil(isHealthy, 240_000, 1000), output.slice(-5000)).toBe(true);
  }, 300_000);

  it('makes the first account in the browser, and records an entry', async () => {
    const executablePath = findHeadlessShell();
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: BROWSER_ARGUMENTS,
    });
    const context = await browser.newContext({ permissions: ['camera', 'microphone'], locale: 'en-US' });
    const page = await context.newPage();
    await makeFirstAccount(page, site, code);
    await recordEntry(page, site, 'The first day');
    await playEntry(page, 'The first day');
    const { status } = await page.request
      .get(`${site}/setup`)
      .then((answer) => ({ status: answer.status() }));
    expect(status).toBe(404);
  }, 240_000);

  it('is content afterward, as the doctor says', async () => {
    const [, later = ''] = commandsUnder('Deploy, and make the first account');
    const said = await run(later);
    expect(said).toMatch(/✓ Jobs/);
    expect(said).toMatch(/Invited family@example\.com/);
    expect(api.unknown).toEqual([]);
  }, 120_000);
});
