import type { Agent } from 'node:http';
import { journalPage } from '@/lib/entries/gallery';
import { getEntry } from '@/lib/entries/service';
import { canUpload } from '@/lib/plans/service';
import { authenticate } from '@/lib/sessions/service';
import type { Bench, Part } from './bench';
import { type Figure, figure, inTurn } from './figures';
import { cpuSecondsOf, ownCpuSeconds } from './processes';
import { ask, repeat, type Target } from './requests';
import { replay, statementsOf } from './statements';

const ROUNDS = 5;

interface Answer {
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
async function cpuEach(
  clock: () => number,
  count: number,
  work: (connections: Agent) => Promise<unknown>,
): Promise<number> {
  const before = clock();
  await repeat(count, work);
  return ((clock() - before) / count) * 1000;
}

async function measureAnswer(bench: Bench, cookie: string, answer: Answer): Promise<Figure[]> {
  const [app, bare] = [await bench.app(), await bench.bareApp()];
  const statements = await statementsOf(answer.queries);
  const asking = (pid: number, target: Target) => () =>
    cpuEach(
      () => cpuSecondsOf(pid),
      answer.requests,
      (connections) => ask(target, connections),
    );
  const measurements = {
    ours: asking(app.pid, { url: `${app.url}${answer.path}`, cookie }),
    empty: asking(bare.pid, { url: `${bare.url}${answer.empty}` }),
    sql: () => cpuEach(ownCpuSeconds, answer.requests * 4, () => replay(statements)),
  };
  await inTurn(2, measurements);
  const { ours, empty, sql } = await inTurn(ROUNDS, measurements);
  const kind = answer.empty === '/' ? 'page' : 'route';
  const unit = 'CPU ms';
  return [
    figure(`${answer.name} : empty ${kind}`, { unit, ours, limit: empty, bar: answer.bars.empty }),
    figure(`${answer.name} : its SQL alone`, { unit, ours, limit: sql, bar: answer.bars.sql }),
  ];
}

/** CPU of the app's process for a small JSON answer to a signed-in person. */
export const json: Part = {
  linuxOnly: true,
  async measure(bench) {
    await bench.app();
    const { userId, entryId, cookie } = await bench.journal();
    const session = await cookie();
    const signedIn = () => authenticate(session.slice(session.indexOf('=') + 1));
    const allowed = await measureAnswer(bench, session, {
      name: 'GET /api/v1/plan/allowed',
      path: '/api/v1/plan/allowed',
      queries: async () => [await signedIn(), await canUpload(userId)],
      empty: '/api',
      requests: 400,
      bars: { empty: 3, sql: 40 },
    });
    const entry = await measureAnswer(bench, session, {
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
export const page: Part = {
  linuxOnly: true,
  async measure(bench) {
    await bench.app();
    const { userId, cookie } = await bench.journal();
    const session = await cookie();
    const signedIn = () => authenticate(session.slice(session.indexOf('=') + 1));
    return measureAnswer(bench, session, {
      name: 'GET /journals, 6 of 200 entries',
      path: '/journals',
      queries: async () => [await signedIn(), await journalPage(userId, 1)],
      empty: '/',
      requests: 200,
      bars: { empty: 4.5, sql: 100 },
    });
  },
};
