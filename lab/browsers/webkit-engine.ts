import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Builder } from 'selenium-webdriver';
import { freePort } from '@/local/up/ports';
import { sendSignal } from '@/local/up/processes';
import { findProcesses } from '@/test/media/inspect';
import { type Engine, type Session, until } from './page';
import { WebKitPage } from './webkit-page';

const SIZE = { width: 1280, height: 800 };

const ARGUMENTS = [
  '--automation',
  '--enable-media-stream=true',
  '--javascript-can-open-windows-automatically=true',
  '--enable-mock-capture-devices=true',
  '--media-playback-requires-user-gesture=false',
  '--enable-write-console-messages-to-stdout=true',
];

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
      const browser = await new Builder()
        .usingServer(address)
        .withCapabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: miniBrowser, args: ARGUMENTS },
        })
        .build();
      await browser.manage().setTimeouts({ script: 120_000, pageLoad: 60_000 });
      const focus = { handle: await browser.getWindowHandle() };
      return {
        version: `WebKitGTK ${(await browser.getCapabilities()).getBrowserVersion()}`,
        async newPage() {
          // Without a toolbar, a window can be as narrow as a phone.
          const before = await browser.getAllWindowHandles();
          focus.handle = before[0] ?? '';
          await browser.switchTo().window(focus.handle);
          await browser.executeScript(
            `open('about:blank', '_blank', 'popup,width=${SIZE.width},height=${SIZE.height}')`,
          );
          const opened = async () =>
            (await browser.getAllWindowHandles()).find((one) => !before.includes(one));
          const handle = (await until('a new window', opened)) ?? '';
          return new WebKitPage(browser, site, handle, focus, downloads);
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
          await browser.quit().catch(() => {});
          stop();
        },
      };
    },
  };
}
