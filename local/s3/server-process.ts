import { startS3 } from './server';
import { TEST_SERVER_OPTIONS } from './test-target';

/**
 * A server in its own process, for tests that kill or measure it. `fork` it with the folder as its argument. It sends
 * `{ url }` when it's listening, and answers any message with `{ peak }`, its peak memory in bytes.
 */
const server = await startS3({ dir: process.argv[2] as string, ...TEST_SERVER_OPTIONS });
process.on('message', () => process.send?.({ peak: process.resourceUsage().maxRSS * 1024 }));
process.send?.({ url: server.url });
