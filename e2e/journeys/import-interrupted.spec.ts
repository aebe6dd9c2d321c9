import type { Page } from '@playwright/test';
import { listEntries } from '@/lib/journal/entries/contract';
import { startKillableBrowser } from '@/test/killable-browser';
import { expect, test } from '../fixtures';
import { chooseFolder, undatedClip, writeFolder } from './clip-folder';

const CLIPS = 14;
const KILLS = 5;

/** Waits until an import is at its n-th clip since this page has gone on with it. */
const waitForClip = (page: Page, number: number) =>
  page.waitForFunction((wanted) => {
    const [, current] = /Importing (\d+) of/.exec(document.body.innerText) ?? [];
    return Number(current) >= wanted;
  }, number);

test('an import whose browser is killed five times loses nothing and doubles nothing', async ({
  app,
  account,
  signIn,
}, info) => {
  const folder = info.outputPath('Clips');
  const names = Array.from({ length: CLIPS }, (_, index) => `2019-07-${String(index + 1).padStart(2, '0')}`);
  const files = await Promise.all(
    names.map(async (day, index) => [`${day} Day ${index}.mp4`, await undatedClip(index)] as const),
  );
  await writeFolder(folder, Object.fromEntries(files));
  const executable = info.project.use.launchOptions?.executablePath;
  const open = async () => {
    const browser = await startKillableBrowser({ executable, profile: info.outputPath('profile') });
    const page = await browser.context.newPage();
    await signIn(page, account);
    await page.goto(`${app.url}/upload/import`);
    return { browser, page };
  };
  let { browser, page } = await open();
  try {
    await chooseFolder(page, folder);
    await page.getByRole('button', { name: `Import ${CLIPS} clips` }).click();
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The first clip of a visit may be the one that the last kill cut off.
      await waitForClip(page, 2 + (kill % 2));
      await browser.kill();
      ({ browser, page } = await open());
      await expect(page.getByText('This import was interrupted.')).toBeVisible();
      await chooseFolder(page, folder);
    }
    // All that's left, of which each clip takes seconds on a busy machine.
    await expect(page.getByText(/entries imported\./)).toBeVisible({ timeout: 90_000 });
  } finally {
    await browser.kill();
  }
  const entries = await account.api.call(listEntries);
  const found = entries.map(({ title, date: { year, month, day } }) => `${year}-${month}-${day} ${title}`);
  const expected = names.map((_, index) => `2019-7-${index + 1} Day ${index}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});
