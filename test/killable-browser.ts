import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright';
import { sendSignal, waitUntil } from '@/local/up/processes';

export interface KillableBrowser {
  context: BrowserContext;
  /** SIGKILL to all of its processes at once. @returns when it was sent, in milliseconds of Date.now() */
  kill(): Promise<number>;
  /** SIGKILL to those of its processes whose command line holds a text (Linux). @returns how many there were */
  killPart(text: string): number;
}

const START_TIMEOUT_MS = 60_000;

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The processes of a group, by the fifth field of /proc/PID/stat; the second may hold spaces and parentheses. */
const processesOf = (group: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[2]) === group);

/**
 * Starts Chromium as a process group of its own on a profile that outlives it, with a camera and a microphone that
 * it plays itself. It is Playwright's through its debugging port, since Playwright does not tell a browser's
 * process id.
 * @param options.executable undefined for the Chromium that Playwright has downloaded
 * @param options.camera whether there is one, with a microphone, and whether the person allows both
 */
export async function startKillableBrowser(options: {
  executable: string | undefined;
  profile: string;
  camera?: 'allowed' | 'denied' | 'missing';
}): Promise<KillableBrowser> {
  const { executable, profile, camera = 'allowed' } = options;
  const portFile = join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const browser = spawn(
    executable ?? chromium.executablePath(),
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      `--use-fake-device-for-media-stream=device-count=${camera === 'missing' ? 0 : 1},fps=10`,
      `--use-fake-ui-for-media-stream${camera === 'denied' ? '=deny' : ''}`,
      ...['--remote-debugging-port=0', `--user-data-dir=${profile}`, '--lang=en-US', 'about:blank'],
    ],
    { detached: true, stdio: 'ignore' },
  );
  const group = -Number(browser.pid);
  // It is in a group of its own, so it would outlive a test that was broken off.
  const endWithUs = () => sendSignal(group, 'SIGKILL');
  process.once('exit', endWithUs);
  const over = new Promise<void>((resolve) => browser.once('exit', () => resolve()));
  const kill = async () => {
    const at = Date.now();
    sendSignal(group, 'SIGKILL');
    await over;
    process.off('exit', endWithUs);
    return at;
  };
  const port = () => (existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n')[0] : '');
  try {
    if (!(await waitUntil(() => Boolean(port()), START_TIMEOUT_MS)))
      throw new Error('Chromium did not start.');
    const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port()}`);
    const context = connected.contexts()[0];
    if (!context) throw new Error('Chromium has no context.');
    return {
      context,
      kill,
      killPart(text) {
        const parts = processesOf(-group).filter((pid) => read(pid, 'cmdline').includes(text));
        for (const pid of parts) sendSignal(pid, 'SIGKILL');
        return parts.length;
      },
    };
  } catch (error) {
    await kill();
    throw error;
  }
}
