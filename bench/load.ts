import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext, Benchmark } from './bench';
import { type Measurement, measurement, quantile } from './measurements';
import { type RequestTarget, refererOf } from './requests';
import { seedJournal } from './seed';

/** Who asks: each has a journal and an address, and at most four of the requests that are measured at once. */
const PEOPLE = 16;
const ENTRIES_EACH = 12;

/** Requests at once while the capacity is measured: enough to keep a process busy. */
const CLIENTS = 64;
const CAPACITY_SECONDS = 8;
/** How long twice as many requests arrive as can be answered. */
const OVERLOAD_SECONDS = 15;
/**
 * How long they've been arriving before they count, while connections are opened. Node accepts one connection in each turn
 * of its event loop, and a turn under load is long, so that a burst of new ones waits for seconds, whatever the server does.
 */
const CONNECTING_SECONDS = 4;
/** What a refusal may take, and what an answer may, in milliseconds. People wait for their turn for up to 2 s. */
const REFUSAL_MS = 5000;
const ANSWER_MS = 3000;

interface Answer {
  status: number;
  ms: number;
  retryAfter: string | undefined;
}

/** Asks once and reads the whole answer, whatever its status: 0 if the connection breaks. */
function ask({ url, cookie, client }: RequestTarget, agent: Agent): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve) => {
    const fail = () => resolve({ status: 0, ms: performance.now() - began, retryAfter: undefined });
    const headers = {
      referer: refererOf(url),
      ...(cookie && { cookie }),
      ...(client && { 'x-forwarded-for': client }),
    };
    get(url, { agent, headers }, (response) => {
      response.resume().once('end', () => {
        const { statusCode = 0, headers: given } = response;
        resolve({ status: statusCode, ms: performance.now() - began, retryAfter: given['retry-after'] });
      });
      response.once('error', fail);
    }).once('error', fail);
  });
}

/** Asks from {@link CLIENTS} connections, each again as soon as it's answered. */
async function measureCapacity(targets: RequestTarget[]): Promise<{ perSecond: number; p99: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const times: number[] = [];
  const end = performance.now() + CAPACITY_SECONDS * 1000;
  const client = async (target: RequestTarget) => {
    while (performance.now() < end) {
      const { status, ms } = await ask(target, agent);
      if (status === 200) times.push(ms);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => targets[index % targets.length]);
  await Promise.all(clients.flatMap((target) => (target ? [client(target)] : [])));
  agent.destroy();
  return { perSecond: times.length / CAPACITY_SECONDS, p99: quantile(times, 0.99) };
}

/**
 * Asks at a steady pace, however long answers take, as many people do who don't know of each other, through connections
 * that are kept, as a proxy does.
 */
async function overload(targets: RequestTarget[], perSecond: number): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
  const began = performance.now();
  const asked: Promise<Answer>[] = [];
  const next = () => targets[asked.length % targets.length];
  const askFor = async (seconds: number) => {
    while (performance.now() - began < seconds * 1000) {
      const due = ((performance.now() - began) / 1000) * perSecond;
      for (let target = next(); target && asked.length < due; target = next()) asked.push(ask(target, agent));
      await delay(5);
    }
  };
  await askFor(CONNECTING_SECONDS);
  const uncounted = asked.length;
  await askFor(CONNECTING_SECONDS + OVERLOAD_SECONDS);
  const answers = await Promise.all(asked);
  agent.destroy();
  return answers.slice(uncounted);
}

async function measureLoad(
  bench: BenchContext,
  name: string,
  targets: RequestTarget[],
  emptyPath: string,
): Promise<Measurement[]> {
  const bare = [{ url: `${(await bench.bareApp()).url}${emptyPath}` }];
  // Once to warm up.
  for (const one of [bare, targets]) await measureCapacity(one);
  const [empty, ours] = [await measureCapacity(bare), await measureCapacity(targets)];
  const answers = await overload(targets, ours.perSecond * 2);
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  const unexpected = answers.filter(
    ({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) > 0),
  );
  const times = (list: Answer[]) => list.map(({ ms }) => ms);
  return [
    measurement(`${name} at capacity : empty`, {
      unit: 'ms a request',
      ours: 1000 / ours.perSecond,
      limit: 1000 / empty.perSecond,
      bar: 5,
    }),
    measurement(`${name} at capacity, p99 : empty`, { unit: 'ms', ours: ours.p99, limit: empty.p99, bar: 6 }),
    measurement(`${name} at twice capacity, accepted, p99`, {
      unit: 'ms',
      ours: quantile(times(accepted), 0.99),
      limit: ANSWER_MS,
      bar: 1,
    }),
    measurement(`${name} at twice capacity, slowest refusal`, {
      unit: 'ms',
      ours: Math.max(0, ...times(refused)),
      limit: REFUSAL_MS,
      bar: 1,
    }),
    measurement(`${name} at twice capacity, answered : at capacity`, {
      unit: 'ms a request',
      ours: (OVERLOAD_SECONDS * 1000) / accepted.length,
      limit: 1000 / ours.perSecond,
      bar: 1.4,
    }),
    measurement(`${name} at twice capacity, neither 200 nor 503 with Retry-After`, {
      unit: 'answers',
      ours: unexpected.length,
      limit: 1,
      bar: 0,
    }),
  ];
}

/** What a process does with as many requests as it can answer, and with twice as many. */
export const loadBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const people: { cookie: string; client: string; entryId: string }[] = [];
    for (let index = 0; index < PEOPLE; index += 1) {
      const { cookie, entryId } = await seedJournal(ENTRIES_EACH);
      people.push({ cookie: await cookie(), client: `198.51.100.${index}`, entryId });
    }
    const entries = people.map(({ entryId, ...person }) => ({
      url: `${app.url}/api/v1/entry/${entryId}`,
      ...person,
    }));
    const pages = people.map(({ entryId: _, ...person }) => ({ url: `${app.url}/journals`, ...person }));
    return [
      ...(await measureLoad(bench, 'GET /entry/:id', entries, '/api')),
      ...(await measureLoad(bench, 'GET /journals', pages, '/')),
    ];
  },
};
