import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, firefox, type Locator, type Page } from 'playwright';
import { addVirtualAuthenticator } from '@/e2e/virtual-authenticator';
import { sendSignal, waitUntil } from '@/local/up/processes';
import { findChromium } from '@/test/chromium';
import { findProcesses } from '@/test/media/inspect';
import { type BrowserPage, callSource, type Engine, type Session, type Target, Unsupported } from './page';

const VIEWPORT = { width: 1280, height: 800 };
/** Between Playwright and Firefox, because Debian's Firefox doesn't know all that Playwright asks. */
const FIREFOX_PROXY = fileURLToPath(new URL('firefox-bidi.mjs', import.meta.url));

function locate(page: Page, { role, name, label, text, css }: Target): Locator {
  const found = role
    ? page.getByRole(role, { ...(name !== undefined && { name, exact: true }) })
    : label
      ? page.getByLabel(label, { exact: true })
      : text
        ? page.getByText(text)
        : page.locator(css ?? '');
  return found.filter({ visible: true });
}

/** Notes in the page whether the browser itself reports a pointer, before anything on the page can stop that. */
function watchPointers(): void {
  const note = ({ isTrusted }: Event) => Object.assign(window, { __pointed: isTrusted });
  for (const kind of ['pointerdown', 'touchstart', 'mousedown', 'click'])
    window.addEventListener(kind, note, { capture: true, once: true });
}

function wrap(page: Page, overBidi: boolean): BrowserPage {
  const first = (target: Target) => locate(page, target).first();
  return {
    goto: async (path) => void (await page.goto(path)),
    reload: async () => void (await page.reload()),
    count: (target) => locate(page, target).count(),
    click: (target) => first(target).click(),
    async tap(target) {
      if (!overBidi) return first(target).tap();
      // Playwright's tap over BiDi does nothing. Once it does something, the journey goes on.
      await page.evaluate(callSource(watchPointers, []));
      await first(target).tap();
      const arrived = await waitUntil(() => page.evaluate<boolean>('window.__pointed === true'), 5000);
      if (!arrived) throw new Unsupported('the driver’s tap sends the page no event');
    },
    async fill(target, value) {
      const control = first(target);
      const kind = await control.evaluate((element: HTMLInputElement) => element.type);
      if (kind === 'select-one') return void (await control.selectOption(value));
      if (kind === 'date') return control.fill(value);
      // As a person types it. Firefox's driver sets texts in a way that React doesn't notice.
      await control.click();
      await page.keyboard.press('ControlOrMeta+a');
      await control.pressSequentially(value);
    },
    press: (key) => page.keyboard.press(key),
    upload: (selector, paths) => page.locator(selector).first().setInputFiles(paths),
    evaluate: (work, ...args) => page.evaluate(callSource(work, args)),
    async download(target) {
      const coming = page.waitForEvent('download');
      await first(target).click();
      return readFile(await (await coming).path());
    },
    async allowPasskeys() {
      if (overBidi) throw new Unsupported('WebDriver BiDi has no virtual authenticator');
      await addVirtualAuthenticator(page);
    },
    async resize(width, height) {
      await page.setViewportSize({ width, height });
      return page.evaluate(() => window.innerWidth);
    },
    screenshot: async (path) => void (await page.screenshot({ path })),
    close: () => page.close(),
  };
}

/** Opens profiles with `launch`. Which processes are a browser's, their command lines say, which name the profile. */
function engine(
  name: Engine['name'],
  version: string,
  launch: (profile: string, baseURL: string) => Promise<BrowserContext>,
): Engine {
  return {
    name,
    crashes: 'browser',
    async open(profile, site): Promise<Session> {
      const problems: string[] = [];
      let context: BrowserContext;
      const start = async () => {
        context = await launch(profile, site);
        context.setDefaultTimeout(30_000);
        context.on('console', (message) => {
          if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
        });
        context.on('weberror', (error) => problems.push(String(error.error().stack)));
      };
      await start();
      return {
        version,
        newPage: async () => wrap(await context.newPage(), name === 'Firefox'),
        problems: () => problems.splice(0),
        async crash() {
          const over = new Promise<void>((resolve) => context.once('close', () => resolve()));
          const at = Date.now();
          for (const pid of await findProcesses(profile)) sendSignal(pid, 'SIGKILL');
          await over;
          await waitUntil(async () => (await findProcesses(profile)).length === 0, 10_000);
          await start();
          return at;
        },
        close: () => context.close(),
      };
    },
  };
}

const versionOf = (program: string): string =>
  /\d+(\.\d+)+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? '';

/** @returns Chromium, as the other tests use it */
export function chromiumEngine(): Engine {
  const executablePath = findChromium() ?? chromium.executablePath();
  return engine('Chromium', `Chromium ${versionOf(executablePath)}`, (profile, baseURL) =>
    chromium.launchPersistentContext(profile, {
      baseURL,
      executablePath,
      viewport: VIEWPORT,
      hasTouch: true,
      locale: 'en-US',
      permissions: ['camera', 'microphone'],
      args: [
        ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
        ...['--use-fake-device-for-media-stream=fps=10', '--use-fake-ui-for-media-stream'],
      ],
    }),
  );
}

/** @param program Firefox's executable */
export const firefoxEngine = (program: string): Engine =>
  engine('Firefox', `Firefox ESR ${versionOf(program)}`, (profile, baseURL) =>
    firefox.launchPersistentContext(profile, {
      baseURL,
      // Over WebDriver BiDi: the other way needs a build of Playwright's own.
      channel: 'moz-firefox',
      executablePath: FIREFOX_PROXY,
      env: { ...process.env, FIREFOX_PROGRAM: program },
      viewport: VIEWPORT,
      hasTouch: true,
      firefoxUserPrefs: {
        'media.navigator.streams.fake': true,
        'media.navigator.permission.disabled': true,
        'media.autoplay.default': 0,
        'intl.accept_languages': 'en-US',
      },
    }),
  );
