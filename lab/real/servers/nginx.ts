import { join } from 'node:path';
import { startNginx } from '../nginx';
import { freePorts } from '../process';
import type { RealServer } from './server';
import { versitygw } from './versitygw';

/** All but those that send what nginx answers by itself, or that start processes of their own. */
const API_TESTS = [
  ...['auth-security', 'entries', 'every-operation', 'failing-query', 'fuzz.spec', 'media', 'rate-limits'],
  ...['timeouts', 'uploads'],
].map((name) => `e2e/api/${name}`);

/** Two processes of the site behind nginx with the settings in deploy/nginx.conf, for each copy that the tests start. */
export const nginx: RealServer = {
  name: 'nginx',
  programs: ['nginx'],
  service: null,
  tests: { unit: [], e2e: [...API_TESTS, 'e2e/journeys/', 'e2e/two-processes'] },
  differences: {},
  start: async ({ programs }) => ({
    env: { TEST_NGINX: programs.nginx ?? '' },
    stop: async () => undefined,
  }),
};

/** Where nothing listens. */
const DISCARD_PORT = 9;

/** Storage behind nginx with the same settings. */
export const nginxStorage: RealServer = {
  ...versitygw,
  name: 'nginx-storage',
  programs: [...nginx.programs, ...versitygw.programs],
  start: async (options) => {
    const storage = await versitygw.start(options);
    const { site, port } = await freePorts('site', 'port');
    const proxy = await startNginx({
      program: options.programs.nginx ?? '',
      port: site,
      // Nobody opens the site through it.
      sites: [DISCARD_PORT],
      storage: { port, storage: Number(new URL(storage.env.S3_ENDPOINT ?? '').port) },
      dir: join(options.dir, 'nginx'),
    });
    return {
      env: { ...storage.env, S3_ENDPOINT: `http://127.0.0.1:${port}` },
      stop: async () => {
        await proxy.stop();
        await storage.stop();
      },
    };
  },
};
