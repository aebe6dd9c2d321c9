import { getPreferences } from '@/lib/account/preferences/contract';
import { type BrowserPage, button, css, see, text, Unsupported, until } from '../page';
import { expectAdvances, type Journey, type Visit, waitForVideo } from './journey';

const pagesOf = ({ entries: [first] }: Visit) => [
  '/',
  '/journals',
  '/journals?view=calendar',
  '/search?query=called',
  `/entry/${first?.id}`,
  '/upload',
  '/settings',
  '/settings/security',
];

/** Returns how far each page reaches past a window of a width. */
async function findWide(visit: Visit, width: number): Promise<string[]> {
  const { page } = visit;
  const wide: string[] = [];
  for (const path of pagesOf(visit)) {
    await page.goto(path);
    const reach = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (reach > 0) wide.push(`${path} by ${reach} px at ${width} px`);
  }
  return wide;
}

export const fits: Journey = {
  name: 'No page scrolls sideways',
  async run(visit) {
    const wide: string[] = [];
    const widths: number[] = [];
    for (const width of [1280, 768, 390, 320]) {
      const got = await visit.page.resize(width, 800);
      widths.push(got);
      wide.push(...(await findWide(visit, got)));
    }
    await visit.page.resize(1280, 800);
    if (wide.length > 0) throw new Error(`Scrolls sideways: ${wide.join('; ')}`);
    return `at ${[...new Set(widths)].join(', ')} px`;
  },
};

export const touch: Journey = {
  name: 'Touch on a phone',
  async run({ page, entries: [first] }) {
    await page.resize(390, 844);
    await page.goto(`/entry/${first?.id}`);
    await waitForVideo(page);
    await page.tap(button('Play'));
    await expectAdvances(page);
    await page.resize(1280, 800);
  },
};

const background = (page: BrowserPage) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d');
    if (!canvas) throw new Error('There is no canvas.');
    canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return (canvas.getImageData(0, 0, 1, 1).data[1] ?? 0) > 127 ? 'light' : 'dark';
  });

export const dark: Journey = {
  name: 'Dark theme',
  async run({ page, account }) {
    for (const theme of ['Dark', 'Light'] as const) {
      await page.goto('/settings/preferences');
      await page.click(css(`main label:has(input[type=radio][value=${theme.toLowerCase()}])`));
      await until(
        `it's ${theme}`,
        () => background(page),
        (shade) => shade === theme.toLowerCase(),
      );
      const saved = async () => (await account.api.call(getPreferences)).theme;
      await until('it’s saved', saved, (now) => now === theme.toLowerCase());
      await page.goto('/journals');
      await until(
        `the next page is ${theme}`,
        () => background(page),
        (shade) => shade === theme.toLowerCase(),
      );
    }
  },
};

export const install: Journey = {
  name: 'Install, and open without a network',
  async run({ page, session, site }) {
    await page.goto('/');
    const broken = await page.evaluate(async () => {
      const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? '';
      const manifest = (await (await fetch(address)).json()) as { name: string; icons: { src: string }[] };
      const answers = await Promise.all(manifest.icons.map(({ src }) => fetch(src)));
      return answers.filter(({ ok }) => !ok).map(({ url }) => url);
    });
    if (broken.length > 0) throw new Error(`Icons are missing: ${broken.join()}`);
    if (!(await page.evaluate(() => 'serviceWorker' in navigator)))
      throw new Unsupported('no service workers');
    await until('the offline page is cached', () =>
      page.evaluate(async () => (await caches.match('/offline/files')) !== undefined),
    );
    session.problems();
    site.setOffline(true);
    try {
      await page.goto('/journals');
      await see(page, text('You’re offline.'));
    } finally {
      site.setOffline(false);
    }
    await page.goto('/journals');
    await see(page, css('article'));
    // What the console says of requests without a network.
    session.problems();
  },
};
