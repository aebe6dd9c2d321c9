import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { ownJobService } from './job-service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase({ settings: { INNGEST_DEV: '', INNGEST_BASE_URL: '' } });
});
afterAll(() => end());

it('is Inngest’s cloud unless a setting says otherwise', () => {
  expect(ownJobService()).toBeUndefined();
});
