import { request as send } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  collect,
  from,
  readAnswer,
  SOON,
  signedIn,
  startBusyServer,
  statuses,
  stopBusyServers,
  useProxySettings,
} from '@/test/busy-server';

/** More than a process works on at once. */
const MANY = 160;

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useProxySettings();
});
afterAll(() => takeDown());
afterEach(() => {
  vi.useRealTimers();
  stopBusyServers();
});

/** Lets no wait end by time, so that it doesn't matter how slow the machine is. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** Leaves the event loop no idle time, but turns for others, until it's stopped. */
function keepBusy(): { stop: () => void } {
  let isOver = false;
  const turn = () => {
    for (const began = performance.now(); performance.now() - began < 2; );
    if (!isOver) setImmediate(turn);
  };
  turn();
  return {
    stop: () => {
      isOver = true;
    },
  };
}

it('answers fifty calls at once by one person, eight at a time', async () => {
  stopClock();
  const { ask, seen } = await startBusyServer();
  const ada = await signedIn('ada');
  const paths = ['/api/v1/search?query=a', '/journals'];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ask(paths[index % 2] ?? '', { ...ada, ...from(`10.3.0.${index}`) }),
    ),
  );
  expect(statuses(answers)).toEqual(new Set([200]));
  expect(seen.most).toBe(8);
});

it('lets nobody wait for an account with hundreds of requests, and refuses those after two seconds', async () => {
  const { ask, held } = await startBusyServer();
  const [phone, laptop, bob] = await Promise.all([signedIn('ada'), signedIn('ada'), signedIn('bob')]);
  const paths = ['/held', '/api/v1/held', '/api/auth/held'];
  const answers = collect(
    Array.from({ length: 300 }, (_, index) => ask(paths[index % 3] ?? '', index % 2 ? phone : laptop)),
  );
  await expect.poll(() => held.length, SOON).toBe(8);
  expect(await ask('/journals', bob)).toMatchObject({ status: 200 });
  expect(await ask('/login', from('10.4.0.1'))).toMatchObject({ status: 200 });
  await expect.poll(() => answers.length, SOON).toBe(292);
  expect(statuses(answers)).toEqual(new Set([429]));
  for (const { headers } of answers) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const bodies = new Set(answers.map(({ body }) => body));
  expect([...bodies].filter((body) => body.includes('Daylight is busy right now'))).toHaveLength(1);
  expect([...bodies].filter((body) => body.startsWith('{')).map((body) => JSON.parse(body))).toEqual([
    { code: 'rate_limited', message: 'Too many requests at once. Wait a moment and try again.' },
  ]);
});

it('takes people in turn when everything is in use, whatever each of them has queued', async () => {
  stopClock();
  const { ask, held, seen } = await startBusyServer();
  for (let index = 0; index < 20; index += 1) {
    const person = { ...(await signedIn(`person ${index}`)), ...from(`10.8.0.${index}`) };
    for (let count = 0; count < 10; count += 1) void ask('/held', person);
  }
  await expect.poll(() => held.length, SOON).toBeGreaterThanOrEqual(32);
  void ask('/held/late', from('10.6.0.1'));
  // Enough round trips for it to be in the queue.
  for (let count = 0; count < 10; count += 1) await ask('/api/health');
  const begun = () => seen.paths.filter((path) => path.startsWith('/held'));
  const before = begun().length;
  for (let ended = 0; ended < 300 && !begun().includes('/held/late'); ended += 1) {
    held.shift()?.();
    await ask('/api/health');
  }
  expect(begun()).toContain('/held/late');
  // At most one of each of the others.
  expect(begun().indexOf('/held/late') - before).toBeLessThanOrEqual(20);
});

it.each([
  ['an address that claims to be many', (index: number) => `198.51.100.${index}, 10.5.0.1`],
  ['the networks of one site', (index: number) => `2001:db8:1:${index}::1`],
])('lets %s have no more than three quarters of everything', async (_, addressOf) => {
  const { ask, held } = await startBusyServer();
  for (let index = 0; index < MANY; index += 1) void ask('/held', from(addressOf(index)));
  // While the process is saturated, as it may be by the test's own requests, it's two.
  await expect.poll(() => held.length, SOON).toBeGreaterThanOrEqual(2);
  for (let count = 0; count < 20; count += 1) {
    expect(await ask('/login', from('10.5.0.2'))).toMatchObject({ status: 200 });
    expect(held.length).toBeLessThanOrEqual(96);
  }
});

it('starts with no more bodies of one account at once, however many of them arrive', async () => {
  const { ask, port, agent, held, seen } = await startBusyServer();
  const ada = await signedIn('ada');
  const headers = { 'content-length': '8', ...ada };
  const bodies = Array.from({ length: 100 }, () =>
    send({ port, path: '/api/v1/held', agent, method: 'POST', headers }),
  );
  const answers = collect(bodies.map((body) => readAnswer(body)));
  for (const body of bodies) body.write('half');
  await expect.poll(() => seen.paths.length, SOON).toBe(bodies.length);
  for (const body of bodies) body.end('half');
  await expect.poll(() => answers.length, SOON).toBe(92);
  expect(held.length).toBe(8);
  expect(statuses(answers)).toEqual(new Set([429]));
  expect(await ask('/journals')).toMatchObject({ status: 200 });
});

it('takes on two pages and eight changes of a network’s strangers at once while the event loop is saturated', async () => {
  const { ask, port, agent, held } = await startBusyServer();
  const spinning = keepBusy();
  try {
    // Until it has been noticed.
    for (const began = performance.now(); performance.now() - began < 300; ) await ask('/login');
    for (let count = 0; count < 20; count += 1) void ask('/held', from('10.11.0.1'));
    await expect.poll(() => held.length, SOON).toBe(2);
    for (let count = 0; count < 20; count += 1) {
      const change = send({ port, path: '/held', agent, method: 'POST', headers: from('10.11.0.1') });
      change.on('error', () => {}).end();
    }
    await expect.poll(() => held.length, SOON).toBe(10);
    for (let count = 0; count < 10; count += 1) await ask('/api/health');
    expect(held.length).toBe(10);
  } finally {
    spinning.stop();
  }
});

it('makes neither people with a session nor changes wait for the page of a stranger in their network', async () => {
  stopClock();
  const { ask, port, agent, held } = await startBusyServer();
  const network = from('10.12.0.1');
  const [ada, bob] = await Promise.all([signedIn('ada'), signedIn('bob')]);
  const spinning = keepBusy();
  try {
    // Until it has been noticed.
    for (const began = performance.now(); performance.now() - began < 300; ) await ask('/login');
    void ask('/held', { ...ada, ...network });
    await expect.poll(() => held.length, SOON).toBe(1);
    await ask('/login', network);
    // The network's next page would have to wait now.
    void ask('/held', { ...bob, ...network });
    const change = send({ port, path: '/held', agent, method: 'POST', headers: network });
    change.on('error', () => {}).end();
    // Enough round trips for both to have arrived, and too few for the stranger's time to be over.
    for (let count = 0; count < 10; count += 1) await ask('/api/health');
    expect(held.length).toBe(3);
  } finally {
    spinning.stop();
  }
});
