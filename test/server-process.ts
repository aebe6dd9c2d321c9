import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manageConnections } from '@/lib/http/connections';

// Prints its port. Stops on signals as Next's server does. `/wait` is answered on SIGUSR2.
const server = createServer((request, response) => {
  if (request.url === '/wait') {
    console.log('waiting');
    process.once('SIGUSR2', () => response.end('waited'));
  } else response.end('hello');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => server.close(() => process.exit(143)));
}
manageConnections();
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}.`));
