import type { RealServer } from './server';

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
