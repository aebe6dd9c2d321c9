import { connect, createServer, type Socket } from 'node:net';
import { userError } from './up/user-error';

/** Where the site listens: on loopback only, or on every address. */
export type BindScope = 'loopback' | 'everywhere';

/**
 * Reads HOST. Only `0.0.0.0` and `::` open the site to the network. Any other value keeps it on this machine, such as
 * the machine's name, which some shells set.
 */
export function readHost(value: string | undefined): BindScope {
  return value === '0.0.0.0' || value === '::' ? 'everywhere' : 'loopback';
}

/**
 * Listens on [::1] and forwards connections to the same port of 127.0.0.1. A server binds to one address, but
 * `localhost` may mean either, and not every client tries both. Does nothing on a machine without IPv6.
 * @returns a function that stops it
 */
export async function forwardFromIpv6(port: number): Promise<() => Promise<void>> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const site = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [client, site],
      [site, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        open.delete(from);
        to.destroySoon();
      });
      from.pipe(to);
    }
  });
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve).listen(port, '::1', () => resolve(null));
  });
  if (failure?.code === 'EADDRINUSE') throw userError(`Port ${port} of [::1] is already used.`, failure);
  if (failure) return async () => undefined;
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}
