import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@/e2e/fixtures';

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });

test('the site and everything beside it listen on this machine only', async ({ app }) => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  const ports = Object.values(app.addresses).map((address) => Number(new URL(address).port));
  expect(ports.length).toBeGreaterThan(1);
  // May be empty: a machine without a network.
  for (const { address } of outer) {
    for (const port of ports) expect(await accepts(address, port), `${address}:${port}`).toBe(false);
  }
  const { port } = new URL(app.url);
  const hasIpv6 = addresses.some(({ address }) => address === '::1');
  for (const host of ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['[::1]'] : [])]) {
    const page = await fetch(`http://${host}:${port}/journals`, { redirect: 'manual' });
    // Relative, so that it leads back to the name that was asked for.
    expect([page.status, page.headers.get('location')], host).toEqual([307, '/login?next=%2Fjournals']);
  }
});
