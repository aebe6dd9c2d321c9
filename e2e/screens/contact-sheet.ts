import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { openDatabase } from '@/db/connect';
import { findChromium } from '@/test/chromium';
import { type Account, seedAccount } from '../accounts';
import { isScrolledUnder } from '../journeys/scrolled-under';
import { type ScreenState, STATES, type Visitor } from './states';

const HELP = `npm run assets -- screens [options]   takes pictures of every screen and state of a running copy

Start one first with \`npm run up -- --demo\`. The pictures, and a page with all of them, go to test-results/screens.
Fails if axe finds a problem, a page scrolls sideways, or a state can't be reached.

  --only today,search   names that the states start with
  --widths 1360,768,390,320
  --themes light,dark`;

const OUTPUT = 'test-results/screens';
/** No picture is taller, in pixels. */
const MAX_HEIGHT = 2600;
const DEMO = { email: 'demo@daylight.local', password: 'demo-password' };

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    widths: { type: 'string', default: '1360,768,390,320' },
    themes: { type: 'string', default: 'light,dark' },
    help: { type: 'boolean', default: false },
  },
});

/** The addresses of the copy that runs in DATA_DIR. */
async function readAddresses(): Promise<{ app: string; database: string }> {
  return JSON.parse(await readFile(path.join(process.env.DATA_DIR ?? '.data', 'local.json'), 'utf8'));
}

async function logIn(context: BrowserContext, app: string, account: { email: string; password: string }) {
  const { email, password } = account;
  const headers = { origin: app };
  const response = await context.request.post('/api/v1/login', { data: { email, password }, headers });
  if (!response.ok()) throw new Error(`${email} can’t log in: ${await response.text()}`);
}

async function openContexts(browser: Browser): Promise<Record<Visitor, BrowserContext>> {
  const { app, database } = await readAddresses();
  const sql = openDatabase(database, { max: 1, onnotice: () => undefined });
  const accounts: Record<Visitor, Pick<Account, 'email' | 'password'> | null> = {
    nobody: null,
    newcomer: await seedAccount(app, sql),
    unverified: await seedAccount(app, sql, false),
    demo: DEMO,
  };
  await sql.end();
  const opened = await Promise.all(
    Object.entries(accounts).map(async ([visitor, account]) => {
      const permissions = ['camera', 'microphone', 'clipboard-write'];
      const context = await browser.newContext({ baseURL: app, permissions, serviceWorkers: 'block' });
      // tsx has each function call this to keep its name, also one that Playwright sends to the page.
      await context.addInitScript('globalThis.__name = (named) => named');
      if (account) await logIn(context, app, account);
      return [visitor, context] as const;
    }),
  );
  return Object.fromEntries(opened) as Record<Visitor, BrowserContext>;
}

/** Returns what's wrong with a page as it looks now. */
async function findProblems(page: Page, width: number): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const reach = await page.evaluate(() => document.documentElement.scrollWidth);
  const found: string[] = [];
  for (const { id, nodes } of violations)
    for (const { target } of nodes) {
      const covered = id === 'target-size' && page.locator(String(target)).first().evaluate(isScrolledUnder);
      if (!(await covered)) found.push(`${id}: ${target}`);
    }
  return [...found, ...(reach > width ? [`scrolls sideways by ${reach - width} px`] : [])];
}

interface Picture {
  state: string;
  look: string;
  file: string;
  problems: string[];
}

async function takePicture(
  context: BrowserContext,
  state: ScreenState,
  theme: 'light' | 'dark',
  width: number,
): Promise<Picture> {
  const look = `${theme}-${width}`;
  const file = `${state.name}-${look}.png`;
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`an error: ${error.message}`));
  try {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
    if (state.loading) {
      const session = await context.newCDPSession(page);
      await session.send('Animation.enable');
      await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    }
    const address = typeof state.path === 'string' ? state.path : await state.path(page);
    await page.goto(address, { waitUntil: state.loading ? 'domcontentloaded' : 'networkidle' });
    await state.prepare?.(page);
    await page.evaluate(() => document.fonts.ready);
    if (!state.loading) problems.push(...(await findProblems(page, width)));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const scrolled = await page.evaluate(() => window.scrollY > 0);
    const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_HEIGHT) };
    await page.screenshot({ path: path.join(OUTPUT, file), ...(!scrolled && { clip, fullPage: true }) });
  } catch (error) {
    problems.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  } finally {
    await page.close();
  }
  for (const problem of problems) console.error(`${state.name} ${look}: ${problem}`);
  return { state: state.name, look, file, problems };
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Returns a page with all pictures, a row for each state. */
function sheetOf(pictures: Picture[]): string {
  const rows = [...new Set(pictures.map(({ state }) => state))];
  const figure = ({ file, look, problems }: Picture) => `
    <figure><a href="${file}"><img src="${file}" loading="lazy" alt=""></a>
    <figcaption>${look}${problems.map((problem) => `<br><b>${escapeHtml(problem)}</b>`).join('')}</figcaption></figure>`;
  const row = (state: string) => `
    <h2>${escapeHtml(state)}</h2>
    <div>${pictures
      .filter((picture) => picture.state === state)
      .map(figure)
      .join('')}</div>`;
  return `<!doctype html><meta charset="utf-8"><title>Daylight: every screen</title>
    <style>body{font:14px system-ui;margin:24px}div{display:flex;gap:12px;overflow-x:auto;align-items:start}
    figure{margin:0}img{height:420px;border:1px solid #ccc}b{color:#b00}</style>${rows.map(row).join('')}`;
}

async function main(): Promise<void> {
  await mkdir(OUTPUT, { recursive: true });
  const wanted = values.only?.split(',') ?? [''];
  const states = STATES.filter(({ name }) => wanted.some((start) => name.startsWith(start)));
  const widths = values.widths.split(',').map(Number);
  const themes = values.themes.split(',') as ('light' | 'dark')[];
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });
  const pictures: Picture[] = [];
  try {
    const contexts = await openContexts(browser);
    for (const state of states)
      for (const theme of themes)
        for (const width of widths)
          pictures.push(await takePicture(contexts[state.visitor], state, theme, width));
  } finally {
    await browser.close();
  }
  await writeFile(path.join(OUTPUT, 'index.html'), sheetOf(pictures));
  const failed = pictures.filter(({ problems }) => problems.length > 0);
  console.log(`${pictures.length} pictures in ${OUTPUT}/index.html, ${failed.length} with problems`);
  if (failed.length > 0) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else await main();
