import type { RealServer } from './server';

/** Programs that check the API document, and the API against it. They take no service's place. */
export const apiTools: RealServer = {
  name: 'api',
  programs: ['redocly', 'schemathesis', 'spectral'],
  service: null,
  tests: { unit: [], e2e: ['e2e/api/document.spec'] },
  differences: {},
  start: async ({ programs }) => ({
    env: { API_TOOLS: JSON.stringify(programs) },
    stop: async () => undefined,
  }),
};
