import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { By, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { waitUntil } from '@/local/up/processes';
import { findElements, toJson } from './find-elements';
import { type BrowserPage, callSource, describe, type Target, Unsupported, until } from './page';

/** The keys that aren't characters, by their names in KeyboardEvent.key. */
const KEYS: Record<string, string> = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  ArrowDown: Key.ARROW_DOWN,
  ArrowRight: Key.ARROW_RIGHT,
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
    await this.driver.switchTo().window(this.handle);
    this.focus.handle = this.handle;
  }

  private async find(target: Target): Promise<WebElement[]> {
    await this.front();
    const script = `const __name = (it) => it; return (${findElements})(arguments[0]);`;
    return this.driver.executeScript(script, toJson(target));
  }

  private first = async (target: Target): Promise<WebElement> =>
    (await until(`waited for ${describe(target)}`, async () => (await this.find(target))[0])) as WebElement;

  /**
   * Returns the first match, on screen. The driver scrolls there by itself, but not to what's less than the page's
   * scroll-padding below the window: it calls that "not interactable".
   */
  private async firstOnScreen(target: Target): Promise<WebElement> {
    const element = await this.first(target);
    const script = `const { top, bottom } = arguments[0].getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' });`;
    await this.driver.executeScript(script, element);
    return element;
  }

  async goto(path: string): Promise<void> {
    await this.front();
    await this.driver.get(new URL(path, this.site).href);
  }

  async reload(): Promise<void> {
    await this.front();
    await this.driver.navigate().refresh();
  }

  count = async (target: Target): Promise<number> => (await this.find(target)).length;

  async click(target: Target): Promise<void> {
    // What covers it may go away, and what was found may be drawn again.
    await until(
      `clicked ${describe(target)}`,
      async () => {
        await (await this.firstOnScreen(target)).click();
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
    const kind = await control.getProperty('type');
    if (kind === 'select-one' || kind === 'date') {
      // A person picks these from a list, which the driver can't open.
      const script = `const [control, value] = arguments;
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, value);
        for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }));`;
      await this.driver.executeScript(script, control, value);
      return;
    }
    await control.click();
    await this.driver.executeScript('arguments[0].focus(); arguments[0].select?.();', control);
    await control.sendKeys(value);
  }

  async press(key: string): Promise<void> {
    await this.front();
    const value = KEYS[key] ?? key;
    await this.driver.actions().keyDown(value).keyUp(value).perform();
  }

  async upload(selector: string, paths: string[]): Promise<void> {
    await this.front();
    const input = await until(selector, async () => this.driver.findElement(By.css(selector)));
    await input.sendKeys(paths.join('\n'));
  }

  async evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Awaited<Result>> {
    await this.front();
    const script = `const done = arguments[arguments.length - 1];
      (${callSource(work, args)}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer = await this.driver.executeAsyncScript<{ value: Awaited<Result>; error?: string }>(script);
    if (answer.error) throw new Error(answer.error);
    return answer.value;
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
    const rect = await this.driver.manage().window().getRect();
    const [innerWidth = 0, innerHeight = 0] = await inner();
    const size = { width: rect.width + width - innerWidth, height: rect.height + height - innerHeight };
    await this.driver.manage().window().setRect(size);
    // A window manager may refuse it.
    await waitUntil(async () => (await inner())[0] === width, 2000);
    return (await inner())[0] ?? 0;
  }

  async screenshot(path: string): Promise<void> {
    await this.front();
    writeFileSync(path, Buffer.from(await this.driver.takeScreenshot(), 'base64'));
  }

  async close(): Promise<void> {
    await this.front();
    await this.driver.close();
    this.focus.handle = '';
    const [left = ''] = await this.driver.getAllWindowHandles();
    await this.driver.switchTo().window(left);
    this.focus.handle = left;
  }
}
