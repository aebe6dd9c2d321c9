import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TestFiles } from '@/test/selection';
import { answers, freePorts, startProcess } from '../process';
import { redis } from './redis';
import type { RealServer, StartOptions } from './server';

/** What runs against each Inngest server: the protocol, and entries from their upload to their transcript. */
const JOB_TESTS: TestFiles = {
  unit: ['local/inngest/protocol', 'local/inngest/failures'],
  e2e: [
    'e2e/api/entries',
    'e2e/deletion',
    'e2e/journeys/entry-refresh',
    'e2e/journeys/formats',
    'e2e/journeys/over-quota-video',
    'e2e/journeys/upload-flow',
    'e2e/resilience',
  ],
};

/** What runs where workers connect to the server, and the site runs no jobs. */
const WORKER_TESTS: TestFiles = {
  unit: [],
  e2e: ['e2e/deletion', 'e2e/journeys/upload-flow', 'e2e/resilience', 'e2e/workers'],
};

/** Starts `inngest dev` or `inngest start` on free ports. */
async function startInngest({ programs, dir }: StartOptions, args: string[], env: Record<string, string>) {
  const ports = await freePorts('port', 'connect-gateway-port');
  const grpc = await freePorts('connect-gateway-grpc-port', 'connect-executor-grpc-port');
  const url = `http://127.0.0.1:${ports.port}`;
  const server = await startProcess({
    command: programs.inngest ?? '',
    args: [
      ...args,
      '--host=127.0.0.1',
      ...Object.entries({ ...ports, ...grpc }).map(([name, value]) => `--${name}=${value}`),
    ],
    env,
    cwd: dir,
    log: join(dir, 'inngest.log'),
    isReady: () => answers(`${url}/health`),
  });
  return { url, stop: server.stop };
}

/** Inngest's development server, which signs nothing. */
export const inngestDev: RealServer = {
  name: 'inngest-dev',
  programs: ['inngest'],
  service: 'jobs',
  tests: JOB_TESTS,
  differences: {},
  async start(options) {
    const { url, stop } = await startInngest(options, ['dev', '--no-discovery', '--no-poll'], {});
    return { env: { INNGEST_DEV: url }, stop };
  },
};

/** Self-hosted Inngest with its queue in Redis, and signatures in both directions. */
export const inngestSelfHosted: RealServer = {
  name: 'inngest-redis',
  programs: ['inngest', 'redis-server'],
  service: 'jobs',
  tests: JOB_TESTS,
  differences: {},
  async start(options) {
    const queue = await redis(options);
    const eventKey = randomBytes(16).toString('hex');
    const signingKey = randomBytes(32).toString('hex');
    const keys = [`--event-key=${eventKey}`, `--signing-key=${signingKey}`];
    const store = [`--redis-uri=${queue.url}`, `--sqlite-dir=${join(options.dir, 'sqlite')}`];
    try {
      const server = await startInngest(options, ['start', ...keys, ...store], {});
      return {
        env: {
          INNGEST_BASE_URL: server.url,
          INNGEST_EVENT_KEY: eventKey,
          INNGEST_SIGNING_KEY: `signkey-prod-${signingKey}`,
        },
        stop: async () => {
          await server.stop();
          await queue.stop();
        },
      };
    } catch (error) {
      await queue.stop();
      throw error;
    }
  },
};

/** The same server with workers that run the jobs in place of the site. */
function withWorkers(name: string, server: RealServer): RealServer {
  return {
    ...server,
    name,
    tests: WORKER_TESTS,
    async start(options) {
      const { env, stop } = await server.start(options);
      return { env: { ...env, JOBS: 'worker' }, stop };
    },
  };
}

export const inngestDevWorkers = withWorkers('inngest-workers-dev', inngestDev);
export const inngestSelfHostedWorkers = withWorkers('inngest-workers-redis', inngestSelfHosted);
