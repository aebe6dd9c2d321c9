import type { Locator, Page } from '@playwright/test';
import { newAccountDetails } from '../accounts';
import { expect } from '../fixtures';
import { expectAccessible } from './axe';
import { expectReachable, expectReachableByScrolling, keyboard, mouse, touch } from './input-steps';
import { button, expectStopped, pauseCountdown, recordFor, wordsOf } from './recording-steps';
import { fillSignup } from './signup-steps';
import { test } from './spoken-microphone';

// By keyboard and with a check of each page, it may take longer to get to the recording than one reading does.
test.use({ speechRepeats: true });

const WAYS = [
  { input: mouse, by: 'with a mouse', viewport: { width: 1360, height: 900 }, colorScheme: 'light' },
  { input: touch, by: 'by touch', viewport: { width: 768, height: 1024 }, colorScheme: 'dark' },
  { input: touch, by: 'by touch', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { input: keyboard, by: 'by keyboard alone', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
] as const;

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** A state in which somebody goes on with one control, wherever the page has it. */
async function expectFinds(control: Locator): Promise<void> {
  await expectReachableByScrolling(control);
  await expectAccessible(control.page());
}

/** A state in which somebody goes on with one control, which is in sight at once. */
async function expectSees(control: Locator): Promise<void> {
  await expectReachable(control);
  await expectAccessible(control.page());
}

for (const { input, by, viewport, colorScheme } of WAYS) {
  const { press, enter } = input;
  /** At this width, the review is one column, and its buttons don't stick as they do on phones. */
  const expectUpload = viewport.width === 768 ? expectFinds : expectSees;

  /** Goes through the countdown, which waits, and records for some seconds. */
  async function recordBriefly(page: Page): Promise<void> {
    await press(button(page, 'Skip countdown'));
    await recordFor(page, 2);
    await expectSees(button(page, 'Stop Recording'));
  }

  test.describe(`at ${viewport.width} px ${by}, in ${colorScheme}`, () => {
    test.use({ viewport, colorScheme, hasTouch: input === touch });
    test.beforeEach(({ guest }) => pauseCountdown(guest));

    // On wide screens, `try-it.spec.ts` goes this way.
    if (viewport.width < 768) {
      test('somebody tries it, keeps it, and signs up for it', async ({ guest: page, mailbox }) => {
        const person = newAccountDetails();
        await page.goto('/');
        await expectFinds(button(page, 'Try it now'));
        await press(button(page, 'Try it now'));
        await recordBriefly(page);
        // A machine that's too slow for words says so, and goes on without them. `try-it.spec.ts` insists on them.
        const { captions, busy } = wordsOf(page);
        const words = captions.filter({ hasText: 'leisure' });
        await expect(words.or(busy).first()).toBeVisible({ timeout: 120_000 });
        await press(button(page, 'Stop Recording'));
        const kept = page.getByRole('group', { name: 'Transcript words' });
        await expect(kept.filter({ hasText: 'leisure' }).or(busy).first()).toBeVisible();
        await expectFinds(link(page, 'Keep it'));

        await press(link(page, 'Keep it'));
        await fillSignup(page, person, input);
        await expectFinds(button(page, 'Signup'));
        await press(button(page, 'Signup'));
        await expect(page.getByText(person.email)).toBeVisible();

        await page.goto((await mailbox.wait(person.email, /verify/i)).link);
        await expectSees(link(page, 'Continue to your recording'));
        await press(link(page, 'Continue to your recording'));
        await expect(page.getByLabel('Recorded video')).toBeVisible();
        await enter(page.getByLabel('Title'), 'My first minute');
        await expectUpload(button(page, 'Upload Video'));
        await press(button(page, 'Upload Video'));
        await page.waitForURL('/journals');
        await expect(page.getByRole('link', { name: 'My first minute' })).toBeVisible();
        await expectAccessible(page);
      });
    }

    test('somebody records, stays, and takes back a discard', async ({ guest: page, account, signIn }) => {
      await signIn(page, account);
      await page.goto('/journals');
      await press(link(page, 'Upload'));
      await expectSees(button(page, 'Start Recording'));
      await press(button(page, 'Start Recording'));
      await recordBriefly(page);
      for (const around of ['banner', 'navigation'] as const)
        await expect(page.getByRole(around)).toHaveCount(0);

      await page.goBack();
      await expectSees(button(page, 'Keep recording'));
      await press(button(page, 'Keep recording'));
      await expectReachable(button(page, 'Stop Recording'));
      await press(button(page, 'Stop Recording'));
      await expectStopped(page);
      await expectUpload(button(page, 'Upload Video'));

      await press(button(page, 'Discard'));
      await expectFinds(button(page, 'Undo'));
      await expectSees(button(page, 'Start Recording'));
      await press(button(page, 'Undo'));
      await expect(page.getByLabel('Recorded video')).toBeVisible();
      await expectUpload(button(page, 'Upload Video'));
    });

    test('somebody leaves the camera off, and marks a moment', async ({ guest: page, account, signIn }) => {
      await signIn(page, account);
      await page.goto('/upload');
      await press(button(page, 'Leave camera off'));
      await expectSees(button(page, 'Use camera'));
      await press(button(page, 'Start Recording'));
      await recordBriefly(page);
      await press(button(page, 'Mark'));
      await expect(page.getByText(/^Marked 0:\d\d$/)).toBeVisible();
      for (const name of ['Pause', 'Stop Recording', 'Mark', 'Turn camera on'])
        await expectReachable(button(page, name));
      await press(button(page, 'Stop Recording'));
      await expectStopped(page);
      const word = page.getByRole('region', { name: 'Marks' }).getByRole('textbox');
      await enter(word, 'The bell');
      await expectFinds(word);
    });
  });
}
