import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJson, writePrivately } from './data-dir';
import { commandLine, listenerOn } from './processes';
import { userError } from './user-error';

/** Below every system's range for outgoing connections, so that a port stays free for the next start. */
const PORTS = { first: 20_000, last: 29_999 };

/** Returns whether a port is free. Without a host, checks all IPv6 and IPv4 addresses. */
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

/** Returns a free port of the loopback interface that isn't in `taken`, between two ports. */
export async function freePort(taken: number[] = [], { first, last } = PORTS): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(first, last + 1);
    if (!taken.includes(port) && (await isFree(port, '127.0.0.1'))) return port;
  }
  throw userError(`No port between ${first} and ${last} is free. Stop some of the programs that use them.`);
}

export type ServiceName = 'database' | 'storage' | 'jobs' | 'mail' | 'till';

/**
 * Returns the ports of the services. They're the same as last time if they're free, so that signed URLs survive a
 * restart. Otherwise they're free ones, which are saved in `ports.json`.
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

/** Saves a service's actual port. An adopted database was already using its own when the ports were allocated. */
export function savePort(dataDir: string, name: ServiceName, port: number): void {
  const path = join(dataDir, 'ports.json');
  writePrivately(path, { ...readJson<Partial<Record<ServiceName, number>>>(path), [name]: port });
}

/** Reads PORT. Throws if it isn't a port number. */
export function readPort(value: string | undefined): number {
  const port = Number(value || 3000);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw userError(
    `PORT is "${value}". It must be a number from 1 to 65535, for example: PORT=3001 npm run up`,
  );
}

/** Throws if the site's port is taken. The message says what to do and, if possible, by which process. */
export async function requireFreePort(port: number): Promise<void> {
  // A server on a loopback address doesn't prevent one on all addresses, but it would get the requests.
  const free = await Promise.all([isFree(port, '127.0.0.1'), isFree(port, '::1')]);
  if (free.every(Boolean) && (await isFree(port))) return;
  const pid = listenerOn(port);
  const command = pid ? commandLine(pid).slice(0, 100) : '';
  const who = pid ? `by process ${pid}${command && ` (${command})`}` : 'by another program';
  const other = port < 65_535 ? port + 1 : 3000;
  throw userError(
    `Port ${port} is already used ${who}. Stop it, or choose another port: PORT=${other} npm run up. To run a second copy, give it its own data too: DATA_DIR=.data-${other} PORT=${other} npm run up`,
  );
}
