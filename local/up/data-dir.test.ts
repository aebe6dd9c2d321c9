import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSecrets, openDataDir } from './data-dir';
import { allocatePorts, freePort, readPort, requireFreePort } from './ports';
import { describeError } from './user-error';

const folder = (): string => mkdtempSync(join(tmpdir(), 'daylight-state-'));

const listen = (port: number, host: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(port, host, () => resolve(server));
  });

test('secrets are created once, and only the owner can read them', () => {
  const dataDir = folder();
  const first = loadSecrets(dataDir);
  expect(loadSecrets(dataDir)).toEqual(first);
  expect(loadSecrets(folder()).authSecret).not.toBe(first.authSecret);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(new Set(Object.values(first)).size).toBe(Object.values(first).length);
});

test('adds a secret that a later version needs and keeps the others', () => {
  const dataDir = folder();
  const { resendApiKey, ...older } = loadSecrets(dataDir);
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(older));
  const newer = loadSecrets(dataDir);
  expect(newer).toMatchObject(older);
  expect(newer.resendApiKey).not.toBe(resendApiKey);
  expect(loadSecrets(dataDir)).toEqual(newer);
});

test('reports damaged secrets and leaves them unchanged', () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'secrets.json'), '{"authSecret": "hal');
  expect(() => loadSecrets(dataDir)).toThrow(/secrets\.json is damaged/);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain('hal');
});

test("says what to do if the data folder isn't a folder", () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  expect(() => openDataDir(file)).toThrow(/Can't write to.*DATA_DIR/s);
});

test('ports stay the same while they are free, and only a taken one changes', async () => {
  const dataDir = folder();
  const first = await allocatePorts(dataDir, ['storage', 'mail'], 3000);
  expect(new Set([...Object.values(first), 3000]).size).toBe(3);
  expect(await allocatePorts(dataDir, ['storage', 'mail'], 3000)).toEqual(first);
  const other = await listen(first.mail, '127.0.0.1');
  const second = await allocatePorts(dataDir, ['storage', 'mail', 'jobs'], 3000);
  expect(second.storage).toBe(first.storage);
  expect(second.mail).not.toBe(first.mail);
  other.close();
  // A port that the site now uses is replaced.
  expect((await allocatePorts(dataDir, ['storage'], first.storage)).storage).not.toBe(first.storage);
});

test('reports a taken port with its process and what to do', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const port = await freePort();
    await requireFreePort(port);
    const server = await listen(port, host);
    const refusal = await requireFreePort(port).catch((error: Error) => error.message);
    expect(refusal).toContain(`Port ${port} is already used`);
    expect(refusal).toContain(`PORT=${port + 1} npm run up`);
    if (process.platform === 'linux') expect(refusal).toContain(`process ${process.pid}`);
    server.close();
  }
});

test('rejects a PORT that is not a port number', () => {
  expect(readPort(undefined)).toBe(3000);
  expect(readPort('8080')).toBe(8080);
  for (const wrong of ['0', '65536', 'http', '80.5'])
    expect(() => readPort(wrong)).toThrow(/from 1 to 65535/);
});

test('reports a full disk, whatever failed because of it', () => {
  const met = [
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
    new Error('initdb: No space left on device'),
    new Error('storage', { cause: Object.assign(new Error('write'), { code: 'ENOSPC' }) }),
  ];
  for (const error of met)
    expect(describeError(error, '/data')).toMatch(/The disk is full.*\/data.*DATA_DIR/);
});
