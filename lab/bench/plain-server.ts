import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * The least that keeps an upload: node:http writes what it is sent to the file that its argument names, and
 * answers when the disk has it. Prints its port.
 */
const server = createServer(async (request, response) => {
  const file = await open(process.argv[2] ?? '', 'w');
  await pipeline(request, file.createWriteStream({ flush: true }));
  response.end();
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`Ready on ${typeof address === 'object' ? address?.port : address}.`);
});
