import { expectError } from '@/e2e/api/response-assertions';
import { uploadVideo, waitForProcessing } from '@/e2e/client';
import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { getEntry } from '@/lib/journal/entries/contract';
import { retryTranscription } from '@/lib/journal/transcripts/contract';
import { CLIP_SECONDS, h264Mp4 } from '@/test/media/clips';
import { expectAccessibleInEveryAppearance } from './axe';
import { openPlans, payFor } from './plan-steps';

const QUOTA = "You have reached your plan's quota.";

test('of two videos uploaded at once the plan has time for one; the other plays after an upgrade', async ({
  page,
  account,
  api,
  sql,
}) => {
  test.slow();
  // The journal so far leaves time for one and a half of them.
  const earlier = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'Earlier' });
  const usedMs = (PLAN_LIMITS.Free.seconds - CLIP_SECONDS * 1.5) * 1000;
  await sql`update entries set duration_ms = ${usedMs} where id = ${earlier}`;

  const clip = await h264Mp4();
  const titles = ['Morning', 'Evening'];
  const ids = await Promise.all(titles.map((title) => uploadVideo(api, clip, { title })));
  const videos = await Promise.all(ids.map((id) => waitForProcessing(api, id)));
  const ready = videos.find(({ videoStatus }) => videoStatus === 'ready');
  const held = videos.find(({ videoStatus }) => videoStatus === 'failed');
  if (!ready || !held) throw new Error(`The videos are ${videos.map(({ videoStatus }) => videoStatus)}.`);
  const params = { id: held.id };

  await test.step('the other one is held, and says so', async () => {
    expect(held).toMatchObject({ status: 'failed', videoError: QUOTA, heldByPlan: true, videoUrl: '' });
    expect(held.transcription).toMatchObject({ status: 'failed', error: QUOTA });
    await expectError(await api.sendOperation(retryTranscription, { params }), 'conflict');
    await page.goto('/journals');
    const cards = page.getByRole('article').filter({ hasText: QUOTA });
    await expect(cards).toHaveCount(1);
    await cards.getByRole('link', { name: held.title }).click();
    await expect(page.getByRole('heading', { name: QUOTA })).toBeVisible();
    await expect(page.getByText('Your upload is saved.')).toContainText('upgrade to Basic, or delete');
    await expect(page.getByRole('link', { name: 'View your plan' })).toBeVisible();
    await expectAccessibleInEveryAppearance(page);
  });

  await test.step('it is processed once a larger plan is paid for', async () => {
    await openPlans(page);
    await payFor(page, 'Basic');
    await expect(page.getByText('You’re now on the Basic plan.')).toBeVisible();
    const released = await waitForProcessing(api, held.id, 'transcript');
    expect(released).toMatchObject({ status: 'completed', videoStatus: 'ready', videoError: null });
    expect(released).toMatchObject({ heldByPlan: false, transcription: { error: null } });
    await page.goto(`/entry/${held.id}`);
    const readyState = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState);
    await expect.poll(readyState).toBeGreaterThan(0);
  });

  expect((await api.call(getEntry, { params: { id: ready.id } })).videoStatus).toBe('ready');
});
