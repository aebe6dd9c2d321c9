import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writePrivately } from './data-dir';
import { commandLine, listenerOn } from './processes';
import { userError } from './user-error';

/** Below every system's range for outgoing connections, so that a port kept for next time stays free. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** Whether nothing listens there now. Without a host: on every address, both IPv6 and IPv4. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // An address that this machine doesn't have, such as ::1 without IPv6, can't be taken either.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port of the loopback interface that is not in `taken`. */
export async function freePort(taken: number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (!taken.includes(port) && (await isFree(port, '127.0.0.1'))) return port;
  }
  throw userError(
    `No port between ${FIRST_PORT} and ${LAST_PORT} is free. Stop some of the programs that listen.`,
  );
}

export type ServiceName = 'database' | 'storage' | 'jobs' | 'mail' | 'speech' | 'till';

/**
 * The ports of the parts: the same as last time while they are free, so that addresses that were handed out
 * (signed ones above all) survive a restart; otherwise free ones, remembered in `ports.json`.
 */
export async function allocatePorts(
  dataDir: string,
  names: ServiceName[],
  appPort: number,
): Promise<Record<ServiceName, number>> {
  const path = join(dataDir, 'ports.json');
  const kept: Partial<Record<ServiceName, number>> = readJson(path) ?? {};
  for (const name of names) {
    const port = kept[name];
    if (port && port !== appPort && (await isFree(port, '127.0.0.1'))) continue;
    kept[name] = await freePort([appPort, ...Object.values(kept)]);
  }
  writePrivately(path, kept);
  return kept as Record<ServiceName, number>;
}

/** Notes where a part really listens: a database that was adopted held its port when the ports were looked at. */
export function savePort(dataDir: string, name: ServiceName, port: number): void {
  const path = join(dataDir, 'ports.json');
  writePrivately(path, { ...readJson<Partial<Record<ServiceName, number>>>(path), [name]: port });
}

/** Reads PORT; throws with a sentence when it is not a port number. */
export function readPort(value: string | undefined): number {
  const port = Number(value || 3000);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw userError(
    `PORT is "${value}". It must be a number from 1 to 65535, for instance: PORT=3001 npm run up`,
  );
}

/** Throws when something else listens on the site's port: by whom, where that can be known, and what to do. */
export async function requireFreePort(port: number): Promise<void> {
  // A listener on a loopback address alone doesn't stop one on all addresses, yet it would get the requests.
  const free = await Promise.all([isFree(port, '127.0.0.1'), isFree(port, '::1')]);
  if (free.every(Boolean) && (await isFree(port))) return;
  const pid = listenerOn(port);
  const command = pid ? commandLine(pid).slice(0, 100) : '';
  const who = pid ? `by process ${pid}${command && ` (${command})`}` : 'by another program';
  const other = port < 65_535 ? port + 1 : 3000;
  throw userError(
    `Port ${port} is already used ${who}. Stop it, or choose another port: PORT=${other} npm run up. A second copy beside this one needs its own data as well: DATA_DIR=.data-${other} PORT=${other} npm run up`,
  );
}
