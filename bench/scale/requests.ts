import { readFileSync } from 'node:fs';
import { type Agent, get } from 'node:http';
import { join } from 'node:path';
import { db } from '@/db/client';
import type { App } from '../app';
import { median } from '../measurements';
import { childrenOf, cpuSecondsOf, endedChildrenCpuSeconds } from '../processes';
import { refererOf, runConcurrently } from '../requests';
import { sessionCookie } from '../seed';
import { searchPath } from '../typing';
import type { RequestFigure } from './figures';

const ROUNDS = 5;
/** Requests of a round, and of a round beforehand, in which the code is compiled. */
const REQUESTS = 200;
const WARM_UP = 600;

interface RequestKind {
  name: string;
  path: string;
  status: number;
}

/** Asks once. @returns how many bytes the answer has @throws Error unless it has the expected status */
function ask(url: string, cookie: string, status: number, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { cookie, referer: refererOf(url) } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === status) resolve(bytes);
        else reject(new Error(`${new URL(url).pathname} answers ${response.statusCode}.`));
      });
    });
    request.once('error', reject);
  });
}

/** The processor seconds of Postgres: its first process, those it has started, and those of them that have ended. */
function databaseCpuSeconds({ dataDir }: App): number {
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const running = [postmaster, ...childrenOf(postmaster)].map(cpuSecondsOf);
  return running.reduce((total, seconds) => total + seconds, endedChildrenCpuSeconds(postmaster));
}

async function measureRequest(app: App, userId: string, kind: RequestKind): Promise<RequestFigure> {
  const cookie = await sessionCookie(userId, true);
  const url = `${app.url}${kind.path}`;
  const repeat = (count: number) =>
    runConcurrently(count, (connections) => ask(url, cookie, kind.status, connections));
  await repeat(WARM_UP);
  const rounds: { appMs: number; databaseMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = [cpuSecondsOf(app.pid), databaseCpuSeconds(app)] as const;
    await repeat(REQUESTS);
    const after = [cpuSecondsOf(app.pid), databaseCpuSeconds(app)] as const;
    const perRequest = (index: 0 | 1) => ((after[index] - before[index]) / REQUESTS) * 1000;
    rounds.push({ appMs: perRequest(0), databaseMs: perRequest(1) });
  }
  return {
    name: kind.name,
    appMs: median(rounds.map((it) => it.appMs)),
    databaseMs: median(rounds.map((it) => it.databaseMs)),
    kilobytes: (await ask(url, cookie, kind.status)) / 1000,
  };
}

/** What a person's requests cost in a journal with transcripts. */
export async function measureRequests(app: App, userId: string): Promise<RequestFigure[]> {
  const [row] = await db().$client`
    select id from entries where user_id = ${userId} and video_key is not null order by date desc limit 1`;
  const api = `/api/v1/entry/${row?.id}`;
  const kinds: RequestKind[] = [
    { name: 'dashboard', path: '/', status: 200 },
    { name: 'gallery', path: '/journals', status: 200 },
    { name: 'entry', path: `/entry/${row?.id}`, status: 200 },
    { name: 'search', path: searchPath('garden'), status: 200 },
    { name: 'thumbnail or video', path: `${api}/video`, status: 307 },
    { name: 'small JSON', path: '/api/v1/plan/allowed', status: 200 },
  ];
  const figures: RequestFigure[] = [];
  for (const kind of kinds) figures.push(await measureRequest(app, userId, kind));
  return figures;
}
