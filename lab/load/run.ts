import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { findProgram } from '@/lab/real/process';
import { projectRoot } from '@/local/up/data-dir';
import { waitUntil } from '@/local/up/processes';
import { shareClips } from '@/test/media/encode';
import { installBrowsers } from './browser';
import { type Check, runChecks } from './checks';
import { compareStorage, findProcesses, findUnfinished, listMultipartUploads, readEntries } from './evidence';
import { checkGrowth } from './growth';
import { runKills } from './kills';
import { HELP, type LoadOptions, readOptions } from './options';
import { signUpPeople } from './people';
import { watchProcesses } from './process-samples';
import { formatReport, type LoadResult } from './report';
import { countSmallPlans, planKills, planUploads } from './schedule';
import { LOAD_PROGRAMS, type LoadSite, startSite } from './site';
import { makeClips } from './upload-kinds';
import { runUpload } from './uploads';

const RESULTS = join(projectRoot, 'test-results', 'load');

/** How often it's checked whether everything has settled, in milliseconds. */
const SETTLE_POLL_MS = 5000;
/** How long whatever follows an entry's last visible state may take, in milliseconds. */
const MIN_SETTLE_MS = 120_000;

const clock = (since: number): string => {
  const all = Math.round((performance.now() - since) / 1000);
  return `${String(Math.floor(all / 60)).padStart(2, ' ')}:${String(all % 60).padStart(2, '0')}`;
};

/** Waits until there's nothing left to do, and compares the database with storage. */
async function settle(
  site: LoadSite,
  databaseUrl: string,
  deadline: number,
): Promise<{ checks: Check[]; rows: Awaited<ReturnType<typeof readEntries>> }> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    let left: string[] = [];
    const look = async () => {
      const rows = await readEntries(sql);
      left = [
        ...(await findUnfinished(sql)),
        ...(await listMultipartUploads(site)).map((key) => `multipart upload: ${key}`),
        ...(await findProcesses(rows)),
        ...(await compareStorage(rows, site)).map((problem) => `storage: ${problem}`),
      ];
      return left.length === 0;
    };
    await waitUntil(look, Math.max(MIN_SETTLE_MS, deadline - performance.now()), SETTLE_POLL_MS);
    return {
      checks: [{ name: 'Nothing is left to do, and storage has what rows say', problems: left }],
      rows: await readEntries(sql),
    };
  } finally {
    await sql.end();
  }
}

/** Runs the load on a site that's there. */
async function runLoad(
  site: LoadSite,
  options: LoadOptions,
  dir: string,
  log: (line: string) => void,
): Promise<LoadResult> {
  const clips = await makeClips();
  const { open, counts } = await installBrowsers(site.url, dir);
  const smallPlans = countSmallPlans(options.people);
  const people = await signUpPeople({
    count: options.people,
    smallPlans,
    url: site.url,
    mailbox: site.mailbox,
    env: site.env,
    open,
  });
  log(`${people.length} people have signed up`);
  const startedAt = performance.now();
  const endsAt = startedAt + options.minutes * 60_000;
  const deadline = endsAt + options.drainMinutes * 60_000;
  const watch = watchProcesses(() =>
    Object.fromEntries(site.processes.map((service) => [service.name, service.pid()])),
  );
  const waiting = new AbortController();
  setMaxListeners(options.uploads, waiting.signal);
  const timeout = setTimeout(() => waiting.abort(), deadline - startedAt);
  let settled = 0;
  const uploads = planUploads(options).map(async (planned, number) => {
    await delay(Math.max(0, startedAt + planned.at - performance.now()));
    const person = people[planned.person];
    if (!person) throw new Error('There are too few people.');
    const outcome = await runUpload(planned, { person, clips, signal: waiting.signal }, number);
    settled += 1;
    if (outcome.problem) log(`“${outcome.title}” (${outcome.kind}): ${outcome.problem}`);
    return outcome;
  });
  const progress = setInterval(() => log(`${settled} of ${uploads.length} uploads have settled`), 60_000);
  const killing = new AbortController();
  try {
    const kills = await runKills(site, planKills(options), startedAt, killing.signal, log);
    const outcomes = await Promise.all(uploads);
    const { checks, rows } = await settle(site, site.databaseUrl, deadline);
    const drainSeconds = Math.max(0, performance.now() - endsAt) / 1000;
    log('everything has settled, or won’t anymore');
    watch.stop();
    checks.unshift(...(await runChecks({ site, people, outcomes, clips, rows })));
    checks.push(checkGrowth(watch.lifetimes));
    const retries: Record<string, number> = {};
    for (const [what, number] of people.flatMap((person) => Object.entries(person.retries))) {
      retries[what] = (retries[what] ?? 0) + number;
    }
    return {
      options,
      drainSeconds,
      outcomes,
      kills,
      requests: counts,
      retries,
      lifetimes: watch.lifetimes,
      checks,
    };
  } finally {
    clearTimeout(timeout);
    clearInterval(progress);
    watch.stop();
    waiting.abort();
  }
}

/** Runs `npm run lab -- load`. @returns the exit code, as its help explains it */
async function main(args: readonly string[]): Promise<number> {
  let options: LoadOptions | null;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return 2;
  }
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const found = LOAD_PROGRAMS.map((name) => [name, findProgram(name)] as const);
  const missing = found.filter(([, path]) => !path).map(([name]) => name);
  if (missing.length > 0) {
    console.error(`Put ${missing.join(', ')} on PATH, or in the folder that REAL_SERVERS names.`);
    return 2;
  }
  shareClips();
  rmSync(RESULTS, { recursive: true, force: true });
  const logs = join(RESULTS, 'logs');
  mkdirSync(logs, { recursive: true });
  const dir = mkdtempSync(join(tmpdir(), 'daylight-load-'));
  const began = performance.now();
  const log = (line: string) => console.log(`${clock(began)}  ${line}`);
  let site: LoadSite | undefined;
  const stop = async () => {
    await site?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  try {
    log(`starting everything, seed ${options.seed}`);
    const programs = Object.fromEntries(found.map(([name, path]) => [name, path ?? '']));
    site = await startSite(programs, dir, logs);
    log(`the site is at ${site.url}, and its services at ${JSON.stringify(site.ports)}`);
    const result = await runLoad(site, options, dir, log);
    const report = formatReport(result);
    writeFileSync(join(RESULTS, 'report.md'), report);
    writeFileSync(join(RESULTS, 'report.json'), `${JSON.stringify(result, null, 2)}\n`);
    console.log(`\n${report}`);
    return result.checks.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } finally {
    await stop();
  }
}

process.exit(await main(process.argv.slice(2)));
