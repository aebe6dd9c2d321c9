import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findEngines } from './engines';
import { logIn, passkey, signUp } from './journeys/account';
import { captions, edit, exportJournal, play, search, words } from './journeys/entry';
import { type Journey, signIn, type Visit } from './journeys/journey';
import { dark, fits, install, touch } from './journeys/screens';
import { record, recover, twoTabs, upload } from './journeys/studio';
import { type Engine, Unsupported } from './page';
import { printRecordingLoss } from './recording-loss';
import { makeJournal, type Site, startSite } from './site';
import { type BrowserResults, printTable, type Result, writeTable } from './table';

const HELP = `npm run lab -- browsers [options]   runs journeys in Chromium, Firefox, and WebKit

Prints a table, and writes it to lab/reports/browsers.md if every browser and journey ran. Fails if a journey fails.
Pictures of failures go to test-results/browsers.

  --only firefox,webkit     browsers
  --journeys record,upload  words in the names of journeys
  --recording               instead, what's lost of a recording when the browser is killed`;

const OUTPUT = 'test-results/browsers';
/** In an order in which each may rely on what's left by those before. */
const JOURNEYS: Journey[] = [
  signUp,
  logIn,
  record,
  recover,
  twoTabs,
  upload,
  play,
  words,
  captions,
  search,
  edit,
  exportJournal,
  install,
  passkey,
  fits,
  touch,
  dark,
];
const CONSOLE = 'No errors in the console';

async function runJourney(journey: Journey, visit: Omit<Visit, 'page'>): Promise<Result> {
  const page = await visit.session.newPage();
  try {
    await signIn(page, visit.account);
    const note = await journey.run({ ...visit, page });
    return { mark: '✓', ...(note && { note }) };
  } catch (error) {
    if (error instanceof Unsupported) return { mark: '–', note: error.message };
    await page.screenshot(join(OUTPUT, `${visit.engine.name}-${journey.name}.png`)).catch(() => {});
    return { mark: '✗', note: (error as Error).message.split('\n').slice(0, 12).join('\n') };
  } finally {
    // It may be closed already, or its browser gone.
    await page.close().catch(() => {});
  }
}

async function runBrowser(engine: Engine, journeys: Journey[], site: Site): Promise<BrowserResults> {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-browser-'));
  const results = new Map<string, Result>();
  const { account, entries } = await makeJournal(site);
  const session = await engine.open(folder, site.url);
  const problems: string[] = [];
  try {
    for (const journey of journeys) {
      const result = await runJourney(journey, { engine, session, site, account, entries, folder });
      problems.push(...session.problems().map((problem) => `${journey.name}: ${problem}`));
      results.set(journey.name, result);
      console.log(`${result.mark} ${engine.name}: ${journey.name}${result.note ? ` (${result.note})` : ''}`);
    }
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  for (const problem of problems) console.error(problem);
  results.set(CONSOLE, problems.length > 0 ? { mark: '✗', note: `${problems.length}` } : { mark: '✓' });
  return { version: session.version, results };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      journeys: { type: 'string' },
      recording: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const engines = findEngines(values.only?.toLowerCase().split(','));
  if (values.recording) {
    for (const engine of engines) if (engine.crashes === 'browser') await printRecordingLoss(engine);
    return 0;
  }
  const wanted = values.journeys?.toLowerCase().split(',');
  const journeys = JOURNEYS.filter(
    ({ name }) => !wanted || wanted.some((word) => name.toLowerCase().includes(word)),
  );
  mkdirSync(OUTPUT, { recursive: true });
  const site = await startSite();
  const all: BrowserResults[] = [];
  try {
    for (const engine of engines) all.push(await runBrowser(engine, journeys, site));
  } finally {
    await site.stop();
  }
  printTable(all);
  if (!values.only && !wanted) writeTable(all);
  return all.some(({ results }) => [...results.values()].some(({ mark }) => mark === '✗')) ? 1 : 0;
}

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message);
  return 1;
});
