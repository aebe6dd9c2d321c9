import { startS3 } from './server';
import { TEST_SERVER_OPTIONS } from './test-target';

/**
 * A server in a process of its own, for tests that kill it or measure it. Started by `fork` with its folder
 * as the argument; sends `{ url }` when it serves, and answers any message with `{ peak }`, the most memory
 * it has had, in bytes.
 */
const server = await startS3({ dir: process.argv[2] as string, ...TEST_SERVER_OPTIONS });
process.on('message', () => process.send?.({ peak: process.resourceUsage().maxRSS * 1024 }));
process.send?.({ url: server.url });
