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

/** Returns free ports for everything that Inngest listens on. */
export const freeInngestPorts = () =>
  freePorts('port', 'connect-gateway-port', 'connect-gateway-grpc-port', 'connect-executor-grpc-port');

/** Starts `inngest dev` or `inngest start`. */
export async function startInngest(
  { programs, dir }: Pick<StartOptions, 'programs' | 'dir'>,
  args: string[],
  ports: Awaited<ReturnType<typeof freeInngestPorts>>,
  log = join(dir, 'inngest.log'),
) {
  const url = `http://127.0.0.1:${ports.port}`;
  const server = await startProcess({
    command: programs.inngest ?? '',
    args: [
      ...args,
      '--host=127.0.0.1',
      ...Object.entries(ports).map(([name, value]) => `--${name}=${value}`),
    ],
    cwd: dir,
    log,
    isReady: () => answers(`${url}/health`),
  });
  return { url, ...server };
}

/** Returns what starts a self-hosted server with new keys, and the app's settings that point at it. */
export function selfHosted(dir: string, queueUrl: string) {
  const eventKey = randomBytes(16).toString('hex');
  const signingKey = randomBytes(32).toString('hex');
  const keys = [`--event-key=${eventKey}`, `--signing-key=${signingKey}`];
  const store = [`--redis-uri=${queueUrl}`, `--sqlite-dir=${join(dir, 'sqlite')}`];
  return {
    args: ['start', ...keys, ...store],
    settings: (url: string) => ({
      INNGEST_BASE_URL: url,
      INNGEST_EVENT_KEY: eventKey,
      INNGEST_SIGNING_KEY: `signkey-prod-${signingKey}`,
    }),
  };
}

/** Inngest's development server, which signs nothing. */
export const inngestDev: RealServer = {
  name: 'inngest-dev',
  programs: ['inngest'],
  service: 'jobs',
  tests: JOB_TESTS,
  differences: {},
  async start(options) {
    const ports = await freeInngestPorts();
    const { url, stop } = await startInngest(options, ['dev', '--no-discovery', '--no-poll'], ports);
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
    const { args, settings } = selfHosted(options.dir, queue.url);
    try {
      const server = await startInngest(options, args, await freeInngestPorts());
      return {
        env: settings(server.url),
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
