import type { RealServer } from './server';

/** Tests that send most of the app's statements. The stand-in for Inngest needs a direct connection, so none with jobs. */
const UNIT_TESTS = [
  ...['db/client', 'lib/account/registration/', 'lib/billing/subscriptions/', 'lib/journal/entries/'],
  ...[
    'lib/limits/',
    'lib/journal/notes/',
    'lib/messaging/outbox/',
    'lib/billing/plans/',
    'lib/journal/search/',
    'lib/account/security/',
  ],
  ...['lib/account/sessions/', 'lib/journal/tags/', 'lib/journal/transcripts/', 'lib/video/uploads/'],
];

/** PgBouncer in transaction mode between the app and Postgres. The tests start one for each Postgres that they start. */
const pgbouncerServer = (name: string, isPrepared: boolean): RealServer => ({
  name,
  programs: ['pgbouncer'],
  service: null,
  tests: {
    unit: UNIT_TESTS,
    e2e: ['e2e/api/', 'e2e/journeys/account', 'e2e/journeys/search', 'e2e/journeys/upload-flow'],
  },
  differences: {
    'prepares no statement unless it is told that it may':
      'The test’s own connections prepare statements in the sessions that it looks at.',
  },
  start: async ({ programs }) => ({
    env: {
      TEST_PGBOUNCER: programs.pgbouncer ?? '',
      DATABASE_PREPARED_STATEMENTS: isPrepared ? '1' : '0',
    },
    stop: async () => undefined,
  }),
});

export const pgbouncer = pgbouncerServer('pgbouncer', true);
/** As a pooler that doesn't know prepared statements. */
export const pgbouncerUnprepared = pgbouncerServer('pgbouncer-unprepared', false);
