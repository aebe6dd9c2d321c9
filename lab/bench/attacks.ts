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

/** Attacks until its time is over. Returns how many answers it got, by status: those that it has read. */
type Attack = (about: AttackPlan) => Promise<Record<string, number>>;

interface Request {
  method?: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Whether it's sent with the session. */
  isMember?: boolean;
}

/** How many connections send requests, and how many are only open: fewer than any limit of open files. */
const CONNECTIONS = 64;
const OPEN_SOCKETS = 900;
/** How many requests an attack sends at most. */
const MAX_REQUESTS = 200_000;
const PAIRS = 4000;

/** Words of which each cut finds one that's unique to both versions, and makes the next one unique. */
export const heardWords = (): string[] =>
  Array.from({ length: PAIRS }, (_, index) => [`t${index + 2}`, `t${index + 1}`]).flat();
const writtenWords = () => Array.from({ length: PAIRS }, (_, index) => ['z', `t${index + 1}`]).flat();

/** Sends a request, reads its answer, and returns its status: 0 if the connection breaks. */
function ask({ url, client, cookie }: AttackPlan, sent: Request, agent: Agent): Promise<number> {
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
    const asked = request(new URL(path, url), { method, agent, headers }, (response) => {
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', () => resolve(0));
      response.resume();
    });
    asked.once('error', () => resolve(0)).end(body);
  });
}

/** Sends requests over many connections, each again as soon as it's answered. */
const repeat =
  (requestsOf: (about: AttackPlan) => Request[], connections = CONNECTIONS): Attack =>
  async (about) => {
    const answers: Record<string, number> = {};
    let left = MAX_REQUESTS;
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const end = performance.now() + about.seconds * 1000;
    const requests = requestsOf(about);
    const client = async (index: number) => {
      for (let turn = index; performance.now() < end && left > 0; turn += 1) {
        left -= 1;
        const next = requests[turn % requests.length];
        const status = next && (await ask(about, next, agent));
        if (status !== undefined) answers[status] = (answers[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
    agent.destroy();
    return answers;
  };

/** Opens connections, sends a request on each, and reads nothing. */
const occupy =
  (head: (index: number) => string[]): Attack =>
  async (about) => {
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
    return {};
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

/** Runs an attack on a copy of Daylight. @throws Error unless it's on this machine */
export async function runAttack(plan: AttackPlan): Promise<Record<string, number>> {
  if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(plan.url)) throw new Error('It attacks this machine only.');
  return ATTACKS[plan.attack](plan);
}
