import type { RealServer } from './server';

/** Two processes of the site behind nginx with the settings in deploy/nginx.conf, for each copy that the tests start. */
export const nginx: RealServer = {
  name: 'nginx',
  programs: ['nginx'],
  service: null,
  tests: { unit: [], e2e: ['e2e/api/', 'e2e/journeys/', 'e2e/two-processes'] },
  differences: {},
  start: async ({ programs }) => ({
    env: { TEST_NGINX: programs.nginx ?? '' },
    stop: async () => undefined,
  }),
};
