/**
 * Attacks a copy of Daylight on this machine for a few seconds, in a process of its own: `attack-process.ts <plan as JSON>`.
 * Prints "attacking" when it begins, and at the end how many answers it got, by status, as JSON. Everything is bounded: by
 * time, and by a number of connections.
 */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface AttackPlan {
  attack: keyof typeof ATTACKS;
  /** The app's address, on this machine. */
  url: string;
  seconds: number;
  /** Who attacks: the address that a proxy reports, and a session. */
  client: string;
  cookie: string;
  /** An entry of the attacker's, whose transcript is {@link heardWords}. */
  entryId: string;
}

interface Request {
  method?: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Whether it's sent with the session. */
  isMember?: boolean;
}

/** More than the app works on at once, and few enough for any limit of open files. */
const CONNECTIONS = 64;
const OPEN_SOCKETS = 900;
const PAIRS = 4000;

/** Words of which each cut finds one that's unique to both versions, and makes the next one unique. */
export const heardWords = (): string[] =>
  Array.from({ length: PAIRS }, (_, index) => [`t${index + 2}`, `t${index + 1}`]).flat();
const writtenWords = () => Array.from({ length: PAIRS }, (_, index) => ['z', `t${index + 1}`]).flat();

const plan = JSON.parse(process.argv[2] ?? 'null') as AttackPlan | null;
const answers: Record<string, number> = {};

/** Sends a request and reads its answer. Counts 0 if the connection breaks. */
function ask({ url, client, cookie }: AttackPlan, sent: Request, agent: Agent): Promise<void> {
  const { method = 'GET', path, body, isMember = false } = sent;
  const headers = {
    'x-forwarded-for': client,
    referer: `${url.replace('127.0.0.1', 'localhost')}/`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(isMember ? { cookie } : {}),
  };
  return new Promise((resolve) => {
    const count = (status: number) => {
      answers[status] = (answers[status] ?? 0) + 1;
      resolve();
    };
    const asked = request(new URL(path, url), { method, agent, headers }, (response) => {
      response.once('end', () => count(response.statusCode ?? 0)).once('error', () => count(0));
      response.resume();
    });
    asked.once('error', () => count(0)).end(body);
  });
}

/** Sends requests over many connections, each again as soon as it's answered. */
const repeat =
  (requestsOf: (about: AttackPlan) => Request[], connections = CONNECTIONS) =>
  async (about: AttackPlan): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const end = performance.now() + about.seconds * 1000;
    const requests = requestsOf(about);
    const client = async (index: number) => {
      for (let turn = index; performance.now() < end; turn += 1) {
        const next = requests[turn % requests.length];
        if (next) await ask(about, next, agent);
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
    agent.destroy();
  };

/** Opens connections, sends a request on each, and reads nothing. */
const occupy =
  (head: (index: number) => string[]) =>
  async (about: AttackPlan): Promise<void> => {
    const { hostname, port } = new URL(about.url);
    const sockets: Socket[] = [];
    for (let index = 0; index < OPEN_SOCKETS; index += 1) {
      const socket = connect(Number(port), hostname)
        .on('error', () => {})
        .pause();
      socket.write(
        [...head(index), 'Host: localhost', `X-Forwarded-For: ${about.client}`, '', ''].join('\r\n'),
      );
      sockets.push(socket);
    }
    await delay(about.seconds * 1000);
    for (const socket of sockets) socket.destroy();
  };

function corrections({ entryId }: AttackPlan): Request[] {
  const words = writtenWords().map((word, index) => ({
    word,
    startTime: index / 100,
    endTime: index / 100,
  }));
  const path = `/api/v1/entry/${entryId}/transcription`;
  const save: Request = {
    method: 'POST',
    path,
    body: JSON.stringify({ transcription: { words } }),
    isMember: true,
  };
  return [save, { method: 'POST', path: `${path}/revisions/0/restore`, isMember: true }];
}

const names = JSON.stringify({ firstName: 'Eve', lastName: 'Bench' });

const ATTACKS = {
  'saving words that are slow to compare': repeat(corrections, 4),
  'connections to be upgraded': occupy(() => ['GET /journals HTTP/1.1', 'Connection: Upgrade', 'Upgrade: x']),
  'answers that nobody reads': occupy((index) => [`GET ${index % 2 ? '/' : '/notices'} HTTP/1.1`]),
  'files that aren’t there': repeat(() => [{ path: '/nothing.x' }]),
  'the open source notices': repeat(() => [{ path: '/notices' }]),
  'changes of one row': repeat(() => [
    { method: 'POST', path: '/api/v1/profile_details', body: names, isMember: true },
  ]),
  'searches and pages': repeat(() => [
    { path: '/api/v1/search?query=word1', isMember: true },
    { path: '/journals', isMember: true },
  ]),
};

export const ATTACK_NAMES = Object.keys(ATTACKS) as (keyof typeof ATTACKS)[];

if (plan) {
  if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(plan.url)) throw new Error('It attacks this machine only.');
  const attack = ATTACKS[plan.attack](plan);
  console.log('attacking');
  await attack;
  process.stdout.write(JSON.stringify(answers), () => process.exit());
}
