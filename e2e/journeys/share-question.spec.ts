import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { MAX_WAITING } from '@/components/capture/uploads/shared/share-limits';
import { listEntries } from '@/lib/journal/entries/contract';
import { expect, test } from '../fixtures';
import { expectAccessible, forEachAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { button } from './recording-steps';
import { clipNamed, SHARE_GONE, shareFrom, shareQuestion, submitShare } from './share-steps';

const removeFile = (page: Page) => button(page, 'Remove File');

test('declining a shared video deletes it, and nothing of it reaches the form', async ({ page }, info) => {
  const path = await clipNamed(info.outputPath('odd.mp4'));
  await page.goto('/journals');
  const { address } = await shareFrom(page, { paths: [path], title: 'Not mine' });
  await page.goto(address);
  await page.getByLabel('Title').fill('My own title');
  await button(page, 'Don’t add').click();
  await expect(shareQuestion(page)).toHaveCount(0);
  await expect.poll(() => findInBrowserStorage(page, ['odd.mp4', 'Not mine'])).toEqual([]);
  await expect(page).toHaveURL('/upload');
  await expect(page.getByLabel('Title')).toHaveValue('My own title');
  await expect(button(page, 'Start Recording')).toBeVisible();
});

test('a shared video is added to one that was chosen meanwhile', async ({ page }, info) => {
  const path = await clipNamed(info.outputPath('shared.mp4'));
  await page.goto('/journals');
  const { address } = await shareFrom(page, { paths: [path], title: 'Shared' });
  await page.goto(address);
  await expect(shareQuestion(page)).toBeVisible();
  const own = await clipNamed(info.outputPath('own.mp4'));
  await page.locator('input[type=file]').first().setInputFiles(own);
  await expect(removeFile(page)).toBeVisible();
  await button(page, 'Add it').click();
  await expect(button(page, 'Remove shared.mp4')).toBeVisible();
  await expect(page.getByText('own.mp4')).toBeVisible();
  await removeFile(page).click();
  await button(page, 'Remove shared.mp4').click();
  await expect.poll(() => findInBrowserStorage(page, ['shared.mp4'])).toEqual([]);
});

test('shares that nobody answers are limited by number, and the newest stay', async ({ page }, info) => {
  const paths = Array.from({ length: MAX_WAITING.videos + 1 }, (_, n) => info.outputPath(`clip-${n}.mp4`));
  for (const path of paths) await writeFile(path, 'x');
  await page.goto('/journals');
  expect(await shareFrom(page, { paths })).toEqual({ status: 303, address: '/upload?shared=many' });
  const first = await shareFrom(page, { paths: paths.slice(0, -1) });
  expect(await findInBrowserStorage(page, ['clip-0.mp4', 'clip-1.mp4'])).toHaveLength(2);
  await shareFrom(page, { paths: paths.slice(-1) });
  expect(await findInBrowserStorage(page, ['clip-0.mp4', 'clip-1.mp4'])).toEqual([]);
  await page.goto(first.address);
  await expect(page.getByRole('alert').filter({ hasText: SHARE_GONE })).toBeVisible();
  await page.goto('/upload?shared=many');
  await expect(page.getByRole('alert').filter({ hasText: 'up to 20 videos and 8 GB' })).toBeVisible();
});

test('the question about a share is accessible, whatever the video is called', async ({ page }, info) => {
  const names = [
    '\u202Egpj.exe.mp4',
    `${'very-long-'.repeat(20)}name.mp4`,
    'c.mp4',
    'd.mp4',
    'e.mp4',
    'f.mp4',
  ];
  const paths = names.map((name) => info.outputPath(name));
  for (const path of paths) await clipNamed(path);
  await page.goto('/journals');
  const { address } = await shareFrom(page, { paths });
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Another app sent 6 videos.' })).toBeFocused();
  await expect(shareQuestion(page)).toContainText('and 1 more');
  await forEachAppearance(page, async () => {
    await expectAccessible(page);
    // The size stands after the name, whichever way the name runs.
    for (const row of await shareQuestion(page)
      .getByRole('listitem')
      .filter({ has: page.locator('bdi') })
      .all()) {
      const [name, size] = await Promise.all(
        [row.locator('bdi'), row.locator('bdi + span')].map((one) => one.boundingBox()),
      );
      expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(size?.x ?? 0);
    }
  });
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('another website’s video waits for an answer, and reaches neither the form nor the journal', async ({
    page,
    app,
    api,
  }, info) => {
    const path = await clipNamed(info.outputPath('unasked.mp4'));
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const elsewhere = 'http://elsewhere.example/';
    await page.route(elsewhere, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
    );
    await page.goto(elsewhere);
    await submitShare(page, `${app.url}/share`, { path, name: 'unasked.mp4', title: 'Unasked title' });
    await expect(page).toHaveURL(/\/upload\?shared=[0-9a-f-]{36}$/);
    await expect(shareQuestion(page)).toContainText('unasked.mp4');
    await expect(removeFile(page)).toHaveCount(0);
    await expect(button(page, 'Upload Video')).toHaveCount(0);
    await expect(page.getByLabel('Title')).toHaveValue('');
    await button(page, 'Don’t add').click();
    await expect.poll(() => findInBrowserStorage(page, ['unasked.mp4', 'Unasked title'])).toEqual([]);
    expect(await api.call(listEntries)).toEqual([]);
  });
});
