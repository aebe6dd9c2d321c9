import { request } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { waitUntil } from '@/local/up/processes';
import { BROWSER_ARGUMENTS, findHeadlessShell } from '@/test/chromium';
import { spokenMicrophone } from '@/test/media/spoken-microphone';

/** The names that the guide has. */
export const SITE = 'journal.example.com';
export const STORAGE = 'storage.example.com';

/** Asks a server for a path of the site, without keeping the connection. @returns the status, or null without an answer */
export function ask(address: string, path: string, method = 'GET'): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { host: SITE, 'content-type': 'application/json', origin: `https://${SITE}` };
    const options = { host: address, servername: SITE, path, method, headers, rejectUnauthorized: false };
    const asked = request({ ...options, agent: false, timeout: 30_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? null));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(null));
    asked.end(method === 'POST' ? '{}' : undefined);
  });
}

/** Returns whether the site says that it's healthy within five minutes. */
export const becomesHealthy = (address: string): Promise<boolean> =>
  waitUntil(async () => (await ask(address, '/api/health')) === 200, 300_000, 500);

/**
 * Sends requests, one after the other, until it's stopped.
 * @returns what stops it, which returns how many were sent and which got no answer, or one of 500 or more
 */
export function sendRequests(address: string): () => Promise<{ sent: number; failed: string[] }> {
  let isOver = false;
  let sent = 0;
  const failed: string[] = [];
  const send = async () => {
    while (!isOver) {
      for (const [method, path] of [
        ['GET', '/'],
        ['POST', '/api/v1/login'],
      ] as const) {
        const status = await ask(address, path, method);
        sent++;
        if (status === null || status >= 500) failed.push(`${method} ${status}`);
        // Faster, they'd only slow down the build.
        await delay(100);
      }
    }
  };
  const sending = Promise.all([send(), send()]);
  return async () => {
    isOver = true;
    await sending;
    return { sent, failed };
  };
}

/** Returns whether a port can be reached from outside. */
export function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1500 });
    const answer = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

/** Starts a browser that finds the site's names at a server, with a microphone in which somebody reads aloud. */
export async function openBrowser(address: string): Promise<{ browser: Browser; context: BrowserContext }> {
  const executablePath = findHeadlessShell();
  const names = [SITE, STORAGE].map((name) => `MAP ${name} ${address}`).join(', ');
  const microphone = await spokenMicrophone({ repeats: true });
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...BROWSER_ARGUMENTS, ...microphone, `--host-resolver-rules=${names}`],
  });
  const permissions = ['camera', 'microphone'];
  const context = await browser.newContext({ permissions, locale: 'en-US', ignoreHTTPSErrors: true });
  return { browser, context };
}
