import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accepts, hasIpv6, outerAddresses } from './fixtures/network';
import { startUpProcess, type UpProcess } from './fixtures/up-process';
import { freePort, isFree } from './ports';
import { identifyProcess, isSameProcess, type ProcessIdentity, sendSignal, waitUntil } from './processes';

const running: UpProcess[] = [];
const folders: string[] = [];

function newDataDir(): string {
  folders.push(mkdtempSync(join(tmpdir(), 'daylight-up-')));
  return join(folders.at(-1) ?? '', 'data');
}

async function start(...args: Parameters<typeof startUpProcess>): Promise<UpProcess> {
  const up = await startUpProcess(...args);
  running.push(up);
  return up;
}

async function readyUp(...args: Parameters<typeof startUpProcess>): Promise<UpProcess> {
  const up = await start(...args);
  await up.ready();
  return up;
}

const databasePid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

const portsOf = (up: UpProcess): number[] =>
  Object.values(up.addresses()).map((address) => Number(new URL(address).port));

/** Returns everything `up` started: the database, the site, and a child of the site. */
async function processesOf(up: UpProcess, dataDir: string): Promise<ProcessIdentity[]> {
  const pids = [databasePid(dataDir), await up.get<number>('/pid'), await up.get<number>('/child')];
  return pids.map(identifyProcess);
}

const allGone = (marks: ProcessIdentity[]): Promise<boolean> =>
  waitUntil(() => !marks.some(isSameProcess), 60_000);

/** Waits up to `within` milliseconds for the site to respond and know this word. @returns whether it did */
const knows = (up: UpProcess, word: string, within: number): Promise<boolean> =>
  waitUntil(
    () =>
      up.get<string[]>('/words').then(
        (words) => words.includes(word),
        () => false,
      ),
    within,
  );

async function stopAll(): Promise<void> {
  for (const up of running) up.child.kill('SIGTERM');
  for (const up of running.splice(0)) await up.ended;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

afterEach(stopAll);

describe('two copies with their own data and ports', () => {
  let dataDir: string;
  let up: UpProcess;
  let open: UpProcess;
  let shared: { copies: UpProcess[]; folders: string[] } = { copies: [], folders: [] };
  beforeAll(async () => {
    dataDir = newDataDir();
    // One after the other, since both pick free ports.
    up = await readyUp(dataDir, { env: { HOST: 'name-of-the-machine' } });
    open = await readyUp(newDataDir(), { env: { HOST: '0.0.0.0', SIGNUP: 'invite' } });
    // Keep them running across tests.
    shared = { copies: running.splice(0), folders: folders.splice(0) };
  });
  afterAll(async () => {
    running.push(...shared.copies);
    folders.push(...shared.folders);
    await stopAll();
  });

  /** Expects that other machines can't reach these ports. */
  async function expectClosed(ports: number[]): Promise<void> {
    expect(ports.length).toBeGreaterThan(1);
    // May be empty: a machine without a network.
    for (const host of outerAddresses()) {
      for (const port of ports) expect(await accepts(host, port), `${host}:${port}`).toBe(false);
    }
  }

  test('listen only on loopback addresses, unless HOST opens up the site', async () => {
    const hosts = ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['::1'] : [])];
    for (const host of hosts) {
      expect(await accepts(host, up.port), host).toBe(true);
      const name = host.includes(':') ? `[${host}]` : host;
      expect((await fetch(`http://${name}:${up.port}/api/health`)).status, host).toBe(200);
    }
    await expectClosed([up.port, ...portsOf(up)]);
    for (const host of [...hosts, ...outerAddresses()])
      expect(await accepts(host, open.port), host).toBe(true);
    await expectClosed(portsOf(open).filter((port) => port !== open.port));
  });

  test('say how to make the first account, unless anyone can sign up', async () => {
    const address = `http://localhost:${open.port}/setup`;
    await open.shows(`\nCreate the first account at ${address} with the setup code `);
    expect(up.output()).not.toContain('first account');
  });

  test('run side by side', async () => {
    await Promise.all([up.get('/write?mine'), open.get('/write?yours')]);
    expect([await up.get('/words'), await open.get('/words')]).toEqual([['mine'], ['yours']]);
  });

  test('keep running when a start with the same data or port is refused', async () => {
    const sameData = await start(dataDir);
    const samePort = await start(newDataDir(), { port: up.port });
    expect([await sameData.ended, await samePort.ended]).toEqual([1, 1]);
    expect(sameData.output()).toMatch(
      new RegExp(`already runs with the data in .* \\(process ${up.pid}, port`),
    );
    expect(samePort.output()).toContain(`Port ${up.port} is already used`);
    expect(samePort.output()).toContain(`PORT=${up.port + 1} npm run up`);
    expect(up.addresses().app).toBe(`http://localhost:${up.port}`);
    await up.get('/api/health');
  });

  test('restart the database and the site when they’re killed', async () => {
    await up.get('/write?kept');
    for (const victim of [() => databasePid(dataDir), () => up.get<number>('/pid')]) {
      const killed = identifyProcess(await victim());
      sendSignal(killed.pid, 'SIGKILL');
      await allGone([killed]);
      expect(await knows(up, 'kept', 60_000)).toBe(true);
    }
    expect(up.output()).toContain('The database was started again.');
    expect(up.output()).toContain('The site was started again.');
  });
});

test('starts everything, stops it on SIGTERM, and restarts with the same data, ports, and secrets', async () => {
  const dataDir = newDataDir();
  const first = await readyUp(dataDir);
  const addresses = first.addresses();
  expect(Object.keys(addresses).sort()).toEqual(['app', 'database', 'jobs', 'mail', 'storage', 'till']);
  expect(addresses.app).toBe(`http://localhost:${first.port}`);
  expect(statSync(join(dataDir, 'local.json')).mode & 0o777).toBe(0o600);
  await first.get('/write?morning');
  const processes = await processesOf(first, dataDir);
  const ports = portsOf(first);

  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(await allGone(processes)).toBe(true);
  expect(ports.length).toBeGreaterThan(1);
  for (const port of ports) expect(await isFree(port, '127.0.0.1')).toBe(true);
  expect(existsSync(join(dataDir, 'local.json'))).toBe(false);
  expect(first.output().match(/^Ready on /gm)).toHaveLength(1);

  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const hidden = [
    ...Object.values(JSON.parse(secrets)),
    new URL(addresses.database ?? '').password,
  ] as string[];
  const logs = readdirSync(join(dataDir, 'logs')).map((name) =>
    readFileSync(join(dataDir, 'logs', name), 'utf8'),
  );
  for (const text of [first.output(), ...logs])
    expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);

  const second = await readyUp(dataDir, { port: first.port });
  expect(second.addresses()).toEqual(addresses);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  expect(await second.get('/words')).toEqual(['morning']);
  // Ctrl-C reaches every process in the group, and npm forwards it too, so it arrives more than once.
  for (const _ of [1, 2, 3]) second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test('leaves no site behind after kill -9, and reuses the database that’s still running', async () => {
  const dataDir = newDataDir();
  const first = await readyUp(dataDir);
  await first.get('/write?before');
  const [database, ...site] = await processesOf(first, dataDir);
  const addresses = first.addresses();
  first.child.kill('SIGKILL');
  await first.ended;
  // Right away, while the old site may still hold its port.
  const second = await readyUp(dataDir, { port: first.port });
  expect(await allGone(site)).toBe(true);
  expect(databasePid(dataDir)).toBe(database?.pid);
  expect(second.addresses()).toEqual(addresses);
  expect(await second.get('/words')).toEqual(['before']);
  // A reused database is restarted and stopped like one that it started.
  sendSignal(database?.pid ?? 0, 'SIGKILL');
  expect(await knows(second, 'before', 60_000)).toBe(true);
  const successor = identifyProcess(databasePid(dataDir));
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(isSameProcess(successor)).toBe(false);
  const third = await readyUp(dataDir, { port: first.port });
  expect(third.addresses()).toEqual(addresses);
});

test('names the configured service that doesn’t respond, and leaves nothing running', async () => {
  const port = await freePort();
  const storage = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 'hush-hush' };
  const cases: [env: Record<string, string>, message: RegExp][] = [
    [{ S3_BUCKET: 'b' }, /partly configured: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are missing/],
    [{ ...storage, S3_ENDPOINT: `http://127.0.0.1:${port}` }, /storage at S3_ENDPOINT .* isn't responding/],
    [{ DATABASE_URL: `postgres://u:hush-hush@127.0.0.1:${port}/d` }, /DATABASE_URL isn't responding/],
    // Not recognized as this machine.
    [{ DATABASE_URL: `postgres://u:hush-hush@127.1:${port}/d` }, /Not started, .*\n {2}database {2}127\.1 /],
    [
      { DATABASE_URL: `postgres://u:hush-hush@127.1:${port}/d`, DAYLIGHT_USE_REMOTE: 'database' },
      /DATABASE_URL isn't responding/,
    ],
    [{ PORT: 'none' }, /PORT is "none"/],
    [
      { APP_URL: 'http://journal.example' },
      /APP_URL is "http:\/\/journal.example". It must start with https/,
    ],
  ];
  for (const [env, message] of cases) {
    const dataDir = newDataDir();
    const up = await start(dataDir, { env });
    expect(await up.ended).toBe(1);
    expect(up.output()).toMatch(message);
    expect(up.output()).not.toContain('hush-hush');
    expect(up.output()).not.toMatch(/^Ready on |^ {4}at /m);
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'up.lock'))).toBe(false);
  }
});

test.each(['video:', '✓ Database', '✓ Tables'])(
  'leaves nothing running when stopped during startup, at "%s"',
  async (moment) => {
    const dataDir = newDataDir();
    const up = await start(dataDir);
    await up.shows(moment);
    up.child.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    expect(up.output()).not.toContain('Ready on');
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'app.pid'))).toBe(false);
    expect(await isFree(up.port)).toBe(true);
  },
);
