import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@/local/up/processes';
import { findElements, toJson } from './find-elements';
import { type BrowserPage, callSource, describe, type Target, Unsupported, until } from './page';
import type { ElementReference, WebDriver } from './webdriver';

/** The keys of WebDriver that aren't characters. */
const KEYS: Record<string, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
  ArrowRight: '\uE014',
};

/** The tab that a driver's commands are about, which it has one of. */
export interface Focus {
  handle: string;
}

/** A tab of WebKitGTK, by its driver. */
export class WebKitPage implements BrowserPage {
  constructor(
    private readonly driver: WebDriver,
    private readonly site: string,
    private readonly handle: string,
    private readonly focus: Focus,
    private readonly downloads: string,
  ) {}

  private async front(): Promise<void> {
    if (this.focus.handle === this.handle) return;
    await this.driver.send('POST', '/window', { handle: this.handle });
    this.focus.handle = this.handle;
  }

  private async find(target: Target): Promise<ElementReference[]> {
    await this.front();
    const script = `const __name = (it) => it; return (${findElements})(arguments[0]);`;
    return this.driver.send('POST', '/execute/sync', { script, args: [toJson(target)] });
  }

  private first = async (target: Target): Promise<ElementReference> =>
    (await until(
      `waited for ${describe(target)}`,
      async () => (await this.find(target))[0],
    )) as ElementReference;

  /**
   * Returns the first match, on screen. The driver scrolls there by itself, but not to what's less than the page's
   * scroll-padding below the window: it calls that "not interactable".
   */
  private async firstOnScreen(target: Target): Promise<ElementReference> {
    const element = await this.first(target);
    const script = `const { top, bottom } = arguments[0].getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' });`;
    await this.driver.send('POST', '/execute/sync', { script, args: [element] });
    return element;
  }

  async goto(path: string): Promise<void> {
    await this.front();
    await this.driver.send('POST', '/url', { url: new URL(path, this.site).href });
  }

  async reload(): Promise<void> {
    await this.front();
    await this.driver.send('POST', '/refresh');
  }

  count = async (target: Target): Promise<number> => (await this.find(target)).length;

  async click(target: Target): Promise<void> {
    // What covers it may go away, and what was found may be drawn again.
    await until(
      `clicked ${describe(target)}`,
      async () => {
        await this.driver.sendTo(await this.firstOnScreen(target), 'POST', '/click');
        return true;
      },
      Boolean,
      20_000,
    );
  }

  async tap(): Promise<void> {
    throw new Unsupported('WebKitGTK’s driver has no touch');
  }

  async allowPasskeys(): Promise<void> {
    throw new Unsupported('WebKitGTK has no WebAuthn');
  }

  async fill(target: Target, value: string): Promise<void> {
    const control = await this.firstOnScreen(target);
    const kind = await this.driver.sendTo<string>(control, 'GET', '/property/type');
    if (kind === 'select-one' || kind === 'date') {
      // A person picks these from a list, which the driver can't open.
      const script = `const [control, value] = arguments;
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, value);
        for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }));`;
      await this.driver.send('POST', '/execute/sync', { script, args: [control, value] });
      return;
    }
    await this.driver.sendTo(control, 'POST', '/click');
    const select = 'arguments[0].focus(); arguments[0].select?.();';
    await this.driver.send('POST', '/execute/sync', { script: select, args: [control] });
    await this.driver.sendTo(control, 'POST', '/value', { text: value });
  }

  async press(key: string): Promise<void> {
    await this.front();
    const value = KEYS[key] ?? key;
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
    await this.driver.send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async upload(selector: string, paths: string[]): Promise<void> {
    await this.front();
    const input = await until(selector, () =>
      this.driver.send<ElementReference>('POST', '/element', { using: 'css selector', value: selector }),
    );
    await this.driver.sendTo(input, 'POST', '/value', { text: paths.join('\n') });
  }

  async evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Awaited<Result>> {
    await this.front();
    return this.driver.run<Awaited<Result>>(callSource(work, args));
  }

  async download(target: Target): Promise<Buffer> {
    const before = new Set(readdirSync(this.downloads));
    await this.click(target);
    const arrived = () =>
      readdirSync(this.downloads).find((name) => !before.has(name) && !name.endsWith('.wkdownload'));
    await until('downloaded a file', async () => arrived());
    return readFile(join(this.downloads, arrived() ?? ''));
  }

  async resize(width: number, height: number): Promise<number> {
    await this.front();
    const inner = () => this.evaluate(() => [window.innerWidth, window.innerHeight]);
    const rect = await this.driver.send<{ width: number; height: number }>('GET', '/window/rect');
    const [innerWidth = 0, innerHeight = 0] = await inner();
    const size = { width: rect.width + width - innerWidth, height: rect.height + height - innerHeight };
    await this.driver.send('POST', '/window/rect', size);
    // A window manager may refuse it.
    await waitUntil(async () => (await inner())[0] === width, 2000);
    return (await inner())[0] ?? 0;
  }

  async screenshot(path: string): Promise<void> {
    await this.front();
    writeFileSync(path, Buffer.from(await this.driver.send<string>('GET', '/screenshot'), 'base64'));
  }

  async close(): Promise<void> {
    await this.front();
    const left = await this.driver.send<string[]>('DELETE', '/window');
    this.focus.handle = '';
    if (left[0]) await this.driver.send('POST', '/window', { handle: left[0] });
    this.focus.handle = left[0] ?? '';
  }
}
