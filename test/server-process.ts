import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer } from '@/lib/api/guard-server';

// Prints its port. Listens for upgrades and stops on signals as Next's server does. `/wait` is answered on SIGUSR2, `/large`
// with 20 MB, `/echo` with the request's headers, and a POST once it's there. With the argument `late`, it's guarded only on
// SIGHUP, answers nothing before, as Next's server does while it starts, and prints how many connections it has accepted.
const isLate = process.argv.includes('late');
const guarded = isLate ? once(process, 'SIGHUP') : undefined;
const server = createServer(async (request, response) => {
  await guarded;
  if (request.url === '/wait') {
    console.log('waiting');
    process.once('SIGUSR2', () => response.end('waited'));
  } else if (request.url === '/large') {
    console.log('large');
    response.end(Buffer.alloc(20_000_000));
  } else if (request.method === 'POST') request.resume().once('end', () => response.end('received'));
  else if (request.url === '/echo') response.end(JSON.stringify(request.headers));
  else response.end('hello');
});
server.on('upgrade', () => console.log('upgraded'));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(143));
    console.log('closing');
  });
}
// Also of those that are held.
const countConnections = () => server.getConnections((_, count) => console.log(`${count} connections.`));
if (isLate) setInterval(countConnections, 50).unref();
const guard = () => guardServer({ ownsProcess: true });
if (guarded) void guarded.then(guard);
else guard();
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}.`));
