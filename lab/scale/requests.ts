import { readFileSync } from 'node:fs';
import { type Agent, get } from 'node:http';
import { join } from 'node:path';
import { db } from '@/db/client';
import type { App } from '../bench/app';
import { median } from '../bench/measurements';
import { childrenOf, cpuSecondsOf, endedChildrenCpuSeconds } from '../bench/processes';
import { refererOf, runConcurrently } from '../bench/requests';
import { sessionCookie } from '../bench/seed';
import { searchPath } from '../bench/typing';
import type { Figures, RequestFigure } from './figures';

const ROUNDS = 5;
/** Requests of a round, and of a round beforehand, in which the code is compiled. */
const REQUESTS = 200;
const WARM_UP = 600;

interface RequestKind {
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
    appMs: median(rounds.map((it) => it.appMs)),
    databaseMs: median(rounds.map((it) => it.databaseMs)),
    kilobytes: (await ask(url, cookie, kind.status)) / 1000,
  };
}

/** What a person's requests cost in a journal with transcripts. */
export async function measureRequests(app: App, userId: string): Promise<Figures['requests']> {
  const [row] = await db().$client`
    select id from entries where user_id = ${userId} and video_key is not null order by date desc limit 1`;
  const measure = (path: string, status = 200) => measureRequest(app, userId, { path, status });
  return {
    dashboard: await measure('/'),
    gallery: await measure('/journals'),
    entry: await measure(`/entry/${row?.id}`),
    search: await measure(searchPath('garden')),
    media: await measure(`/api/v1/entry/${row?.id}/video`, 307),
    json: await measure('/api/v1/plan/allowed'),
  };
}
