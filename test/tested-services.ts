const SETTINGS = {
  storage: [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_FORCE_PATH_STYLE',
  ],
  jobs: [
    'INNGEST_BASE_URL',
    'INNGEST_DEV',
    'INNGEST_EVENT_KEY',
    'INNGEST_SIGNING_KEY',
    'INNGEST_SERVE_ORIGIN',
    'JOBS',
  ],
} as const;

export type TestedService = keyof typeof SETTINGS;

/**
 * Returns the app's settings of a service if `TEST_SERVICES` (a comma-separated list) names it, and null otherwise: the
 * tests then start a stand-in. Naming it is required, so that a shell with a real bucket's keys runs no test on it.
 * @throws Error if the service is named but has no settings
 */
export function testedService(service: TestedService): Record<string, string> | null {
  if (!(process.env.TEST_SERVICES ?? '').split(',').includes(service)) return null;
  const given = SETTINGS[service].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  if (given.length > 0) return Object.fromEntries(given);
  throw new Error(`TEST_SERVICES names "${service}", but none of ${SETTINGS[service].join(', ')} is set.`);
}
