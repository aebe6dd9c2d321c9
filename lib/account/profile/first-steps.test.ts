import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { dismissedSteps, dismissStep, restoreStep } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('first steps', () => {
  it('are dismissed once, and restored one by one, for their account only', async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    for (const { id } of [owner, other])
      for (const step of ['sample', 'words', 'sample'] as const) await dismissStep(id, step);
    expect((await dismissedSteps(owner.id)).sort()).toEqual(['sample', 'words']);

    await restoreStep(owner.id, 'sample');
    await restoreStep(owner.id, 'sample');
    await restoreStep(owner.id, 'reminder');
    expect(await dismissedSteps(owner.id)).toEqual(['words']);
    expect((await dismissedSteps(other.id)).sort()).toEqual(['sample', 'words']);

    await dismissStep(owner.id, 'sample');
    expect((await dismissedSteps(owner.id)).sort()).toEqual(['sample', 'words']);
  });
});
