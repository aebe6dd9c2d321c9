import type { Agent } from 'node:http';
import { authenticate } from '@/lib/account/sessions/service';
import { canUpload } from '@/lib/billing/plans/service';
import { journalPage } from '@/lib/journal/entries/gallery';
import { getEntry } from '@/lib/journal/entries/service';
import { captureStatements, replayStatements } from '@/test/statements';
import type { BenchContext, Benchmark } from './bench';
import { interleave, type Measurement, measurement } from './measurements';
import { cpuSecondsOf, ownCpuSeconds } from './processes';
import { fetchText, type RequestTarget, runConcurrently } from './requests';

const ROUNDS = 5;
/**
 * V8 goes on optimizing for thousands of requests. With fewer, what's measured first would be compared with an empty
 * counterpart that's cold, and what's measured last with one that's warm.
 */
const WARM_UP_ROUNDS = 10;

interface ResponseCase {
  name: string;
  path: string;
  /** What it asks the database, the session beside what it shows. */
  queries: () => Promise<unknown>;
  /** The path of the bare app's empty counterpart. */
  empty: '/api' | '/';
  requests: number;
  bars: { empty: number; sql: number };
}

/** CPU milliseconds for each of `count` repetitions, by a clock of CPU seconds. */
async function cpuPerRequest(
  clock: () => number,
  count: number,
  work: (connections: Agent) => Promise<unknown>,
): Promise<number> {
  const before = clock();
  await runConcurrently(count, work);
  return ((clock() - before) / count) * 1000;
}

async function measureResponse(
  bench: BenchContext,
  cookie: string,
  answer: ResponseCase,
): Promise<Measurement[]> {
  const [app, bare] = [await bench.app(), await bench.bareApp()];
  const statements = await captureStatements(answer.queries);
  const asking = (pid: number, target: RequestTarget) => () =>
    cpuPerRequest(
      () => cpuSecondsOf(pid),
      answer.requests,
      (connections) => fetchText(target, connections),
    );
  const measurements = {
    ours: asking(app.pid, { url: `${app.url}${answer.path}`, cookie }),
    empty: asking(bare.pid, { url: `${bare.url}${answer.empty}` }),
    sql: () => cpuPerRequest(ownCpuSeconds, answer.requests * 4, () => replayStatements(statements)),
  };
  await interleave(WARM_UP_ROUNDS, measurements);
  const { ours, empty, sql } = await interleave(ROUNDS, measurements);
  const kind = answer.empty === '/' ? 'page' : 'route';
  const unit = 'CPU ms';
  return [
    measurement(`${answer.name} : empty ${kind}`, { unit, ours, limit: empty, bar: answer.bars.empty }),
    measurement(`${answer.name} : its SQL alone`, { unit, ours, limit: sql, bar: answer.bars.sql }),
  ];
}

/** CPU of the app's process for a small JSON answer to a signed-in person. */
export const jsonBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    await bench.app();
    const { userId, entryId, cookie } = await bench.journal();
    const session = await cookie();
    const signedIn = () => authenticate(session.slice(session.indexOf('=') + 1));
    const allowed = await measureResponse(bench, session, {
      name: 'GET /api/v1/plan/allowed',
      path: '/api/v1/plan/allowed',
      queries: async () => [await signedIn(), await canUpload(userId)],
      empty: '/api',
      requests: 400,
      bars: { empty: 3, sql: 40 },
    });
    const entry = await measureResponse(bench, session, {
      name: 'GET /api/v1/entry/:id',
      path: `/api/v1/entry/${entryId}`,
      queries: async () => [await signedIn(), await getEntry(userId, entryId)],
      empty: '/api',
      requests: 400,
      bars: { empty: 5, sql: 25 },
    });
    return [...allowed, ...entry];
  },
};

/** CPU of the app's process for the gallery: middleware, session, two queries, six cards. */
export const pageBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    await bench.app();
    const { userId, cookie } = await bench.journal();
    const session = await cookie();
    const signedIn = () => authenticate(session.slice(session.indexOf('=') + 1));
    return measureResponse(bench, session, {
      name: 'GET /journals, 6 of 200 entries',
      path: '/journals',
      queries: async () => [await signedIn(), await journalPage(userId, 1)],
      empty: '/',
      requests: 200,
      bars: { empty: 5.5, sql: 100 },
    });
  },
};
