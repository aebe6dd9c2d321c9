import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { type FixtureOptions, type Functions, type RunnerFixture, startRunnerFixture } from './test-runner';

/** Gives a test file a database, and its tests runners that are closed after each. Call it at the top of the file. */
export function setUpRunner(): {
  databaseUrl(): string;
  play(functions: Functions, options?: FixtureOptions): Promise<RunnerFixture>;
} {
  let database: TestDatabase;
  let current: RunnerFixture | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await current?.close();
    current = undefined;
  });
  afterAll(() => database.drop());
  return {
    databaseUrl: () => database.url,
    async play(functions, options) {
      current = await startRunnerFixture(database.url, functions, options);
      return current;
    },
  };
}
