import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@/local/up/ports';
import { sendSignal, waitUntil } from '@/local/up/processes';
import { findProcesses } from '@/test/media/inspect';
import { findElements, toJson } from './find-elements';
import {
  type BrowserPage,
  callSource,
  describe,
  type Engine,
  type Session,
  type Target,
  Unsupported,
  until,
} from './page';
import { type ElementReference, openWebDriver, type WebDriver } from './webdriver';

/** The keys of WebDriver that aren't characters. */
const KEYS: Record<string, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
  ArrowRight: '\uE014',
};

const SIZE = { width: 1280, height: 800 };

const ARGUMENTS = [
  '--automation',
  '--enable-media-stream=true',
  '--javascript-can-open-windows-automatically=true',
  '--enable-mock-capture-devices=true',
  '--media-playback-requires-user-gesture=false',
  '--enable-write-console-messages-to-stdout=true',
];

/** The tab that a driver's commands are about, which it has one of. */
interface Focus {
  handle: string;
}

class WebKitPage implements BrowserPage {
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
        await this.driver.sendTo(await this.first(target), 'POST', '/click');
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
    const control = await this.first(target);
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

interface Programs {
  driver: string;
  miniBrowser: string;
  xvfb: string;
}

/** Starts a screen without a monitor. @returns its name, and how to end it */
async function startScreen(xvfb: string): Promise<{ display: string; stop(): void }> {
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const stop = () => void screen.kill();
  process.once('exit', stop);
  const number = await new Promise<string>((resolve, reject) => {
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
    screen.stdio[3]?.once('data', (data) => resolve(String(data).trim()));
  });
  return { display: `:${number}`, stop };
}

/** @returns WebKitGTK's MiniBrowser by its driver. Its profiles end with the browser, as the driver wants it. */
export function webkitEngine({ driver: program, miniBrowser, xvfb }: Programs): Engine {
  return {
    name: 'WebKit',
    crashes: 'page',
    async open(profile, site): Promise<Session> {
      const downloads = join(profile, 'Downloads');
      mkdirSync(join(profile, '.config'), { recursive: true });
      mkdirSync(downloads, { recursive: true });
      writeFileSync(join(profile, '.config', 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
      const screen = await startScreen(xvfb);
      const port = await freePort();
      const output: string[] = [];
      const driver = spawn(program, [`--port=${port}`], {
        env: {
          ...process.env,
          DISPLAY: screen.display,
          HOME: profile,
          XDG_CONFIG_HOME: join(profile, '.config'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      driver.stdout.setEncoding('utf8').on('data', (chunk) => output.push(chunk));
      driver.stderr.resume();
      const stop = () => {
        sendSignal(-Number(driver.pid), 'SIGTERM');
        screen.stop();
      };
      process.once('exit', stop);
      const address = `http://127.0.0.1:${port}`;
      await until('the driver of WebKitGTK answers', async () => (await fetch(`${address}/status`)).ok);
      const { client, capabilities } = await openWebDriver(address, {
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ARGUMENTS },
      });
      await client.send('POST', '/timeouts', { script: 120_000, pageLoad: 60_000 });
      const focus = { handle: await client.send<string>('GET', '/window') };
      return {
        version: `WebKitGTK ${capabilities.browserVersion}`,
        async newPage() {
          // Without a toolbar, a window can be as narrow as a phone.
          const before = await client.send<string[]>('GET', '/window/handles');
          await client.send('POST', '/window', { handle: before[0] });
          focus.handle = before[0] ?? '';
          const script = `open('about:blank', '_blank', 'popup,width=${SIZE.width},height=${SIZE.height}')`;
          await client.send('POST', '/execute/sync', { script, args: [] });
          const opened = async () =>
            (await client.send<string[]>('GET', '/window/handles')).find((one) => !before.includes(one));
          const handle = (await until('a new window', opened)) ?? '';
          return new WebKitPage(client, site, handle, focus, downloads);
        },
        problems: () =>
          output
            .splice(0)
            .join('')
            .split('\n')
            .filter((line) => /^CONSOLE .*ERROR/.test(line)),
        async crash() {
          const at = Date.now();
          for (const pid of await findProcesses('WebKitWebProcess')) {
            const environment = existsSync(`/proc/${pid}/environ`)
              ? await readFile(`/proc/${pid}/environ`, 'utf8')
              : '';
            if (environment.includes(profile)) sendSignal(pid, 'SIGKILL');
          }
          return at;
        },
        async close() {
          await client.send('DELETE', '').catch(() => {});
          stop();
        },
      };
    },
  };
}
