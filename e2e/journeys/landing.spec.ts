import { READING_PAGES } from '@/lib/foundation/http/pages';
import { newAccountDetails } from '../accounts';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { fillSignup } from './signup-steps';

const CHECK_EMAIL = 'Please check your email to finish verifying your account.';
const ERROR = 'Unexpected Application Error!';

test('the home page works at every width and in both themes, and its pictures are there', async ({
  guest: page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A private journal you keep by talking');
  const question = page.getByText('What if I stop paying?');
  await question.click();
  await expect(page.getByText('Nothing is deleted.', { exact: false }).first()).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  const picture = page.getByRole('button', { name: /^An entry in Daylight/ }).getByRole('img');
  for (const [width, colorScheme, file] of [
    [1280, 'dark', 'entry-wide-dark'],
    [320, 'dark', 'entry-narrow-dark'],
    [320, 'light', 'entry-narrow-light'],
    [1280, 'light', 'entry-wide-light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await picture.scrollIntoViewIfNeeded();
    const shown = () =>
      picture.evaluate((image: HTMLImageElement) => [
        image.complete && image.naturalWidth > 0,
        new URL(image.currentSrc).pathname,
      ]);
    await expect.poll(shown).toEqual([true, `/pictures/${file}.webp`]);
  }
});

test('a press on the picture opens the entry, whose words play', async ({ guest: page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^An entry in Daylight/ }).click();
  const entry = page.getByRole('figure', { name: 'A sample entry' });
  await expect(entry.getByRole('heading', { name: 'A sonnet before bed' })).toBeFocused();
  await entry.getByRole('group', { name: 'Transcript words' }).locator('span').last().click();
  const at = () => entry.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(at).toBeGreaterThan(5);
  await expectAccessibleInEveryAppearance(page);
});

test('every promise leads to its proof, and every plan has a button', async ({ guest: page, anonymous }) => {
  await page.goto('/');
  for (const [link, href] of [
    ['See who can see what', '/privacy#who-can-see'],
    ['Download an example export', '/pictures/example-export.zip'],
    ['Read how deletion works', '/privacy#deletion'],
  ] as const) {
    await expect(page.getByRole('link', { name: link })).toHaveAttribute('href', href);
    const [path = '', id] = href.split('#');
    const answer = await anonymous.send('GET', path);
    expect([href, answer.status]).toEqual([href, 200]);
    if (id) expect(await answer.text()).toContain(`id="${id}"`);
  }
  const plans = page.getByRole('region', { name: 'Three plans, one journal' });
  for (const [button, href] of [
    ['Start your journal', '/signup'],
    ['Choose Basic', '/signup?plan=Basic'],
    ['Choose Standard', '/signup?plan=Standard'],
  ] as const)
    await expect(plans.getByRole('link', { name: button })).toHaveAttribute('href', href);
});

test('a plan that was chosen before signing up is paid for afterwards', async ({ guest: page, mailbox }) => {
  const person = newAccountDetails();
  await page.goto('/');
  await page.getByRole('link', { name: 'Choose Basic' }).click();
  await expect(page.getByText(/^You chose Basic, \$5 a month\./)).toBeVisible();
  await expect(page.getByText('By signing up, you agree to the terms and the privacy policy.')).toBeVisible();
  await fillSignup(page, person);
  await page.getByRole('button', { name: 'Signup' }).click();
  await expect(page.getByRole('heading', { name: CHECK_EMAIL })).toBeVisible();
  await page.goto((await mailbox.wait(person.email, /verify/i)).link);
  await page.getByRole('main').getByRole('link', { name: 'Continue to your plan' }).click();
  const modal = page.getByRole('dialog', { name: 'Plan Selection Modal' });
  const basic = modal.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Basic' }) });
  await expect(basic.getByRole('button', { name: 'Buy Now' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/settings/);
});

test('anyone reads the privacy page and the terms', async ({
  guest,
  page,
  newAccount,
  signIn,
  browser,
  baseURL,
}) => {
  const unverified = await (await browser.newContext({ baseURL })).newPage();
  await signIn(unverified, await newAccount({ verified: false }));
  for (const [path, heading] of [
    ['/privacy', 'Privacy'],
    ['/terms', 'Terms'],
  ] as const)
    for (const reader of [page, unverified, guest]) {
      await reader.goto(path);
      await expect(reader.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await expect(reader).toHaveURL(path);
    }
  await unverified.context().close();
  for (const path of ['/privacy', '/terms']) {
    await guest.goto(path);
    await expectAccessibleInEveryAppearance(guest);
  }
  await guest.getByRole('link', { name: 'Privacy', exact: true }).click();
  await expect(guest).toHaveURL('/privacy');
});

test('an unknown address is the specified error with a way home, signed in or out', async ({
  guest,
  page,
  watch,
}) => {
  watch.allowConsole(/status of 404/);
  for (const visitor of [guest, page]) {
    const answer = await visitor.goto('/no-such-page?x=1');
    expect(answer?.status()).toBe(404);
    await expect(visitor.getByRole('heading', { name: ERROR, level: 1 })).toBeVisible();
    await expect(visitor.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
    await expectAccessibleInEveryAppearance(visitor);
  }
  await expect(guest.getByRole('navigation', { name: 'Main' })).toContainText('Login');
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Journal');
  await page.getByRole('link', { name: 'Go home' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
});

test('search engines and previews of links find what’s public, and only that', async ({ anonymous, app }) => {
  const robots = await (await anonymous.send('GET', '/robots.txt')).text();
  expect(robots).toContain('Disallow: /\n');
  expect(robots).toContain(`Sitemap: ${app.url}/sitemap.xml`);
  const sitemap = await (await anonymous.send('GET', '/sitemap.xml')).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  expect(listed).toEqual(['/', ...READING_PAGES]);
  const home = await (await anonymous.send('GET', '/')).text();
  const [, preview = ''] = /<meta property="og:image" content="([^"]+)"/.exec(home) ?? [];
  expect(preview).toBe(`${app.url}/pictures/preview.png`);
  const picture = await anonymous.send('GET', new URL(preview).pathname);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});
