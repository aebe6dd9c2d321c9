import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { build } from 'esbuild';
import { projectRoot } from '@/local/up/data-dir';
import { h264Mp4 } from '@/test/media/clips';

/** What another app shares: the paths of videos, and what it calls them. */
interface Share {
  paths?: readonly string[];
  title?: string;
  text?: string;
}

/** What the studio says of a share that isn't there. */
export const SHARE_GONE = /isn’t on this device anymore/;

/** Copies the clip to a path, so that it has a name of its own. @returns the path */
export async function clipNamed(path: string): Promise<string> {
  await copyFile(await h264Mp4(), path);
  return path;
}

async function bundleReceiver(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { receiveShare } from '@/components/shell/offline/worker/receive-share';
        globalThis.receiveShare = receiveShare;`,
      resolveDir: projectRoot,
    },
    bundle: true,
    format: 'iife',
    write: false,
    tsconfig: join(projectRoot, 'tsconfig.json'),
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Shares to Daylight as the system does, from a page of the site, with what its service worker runs.
 * @returns the status of the answer, and the address that it leads to
 */
export async function shareFrom(page: Page, { paths = [], title = '', text = '' }: Share) {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), base64: (await readFile(path)).toString('base64') })),
  );
  await page.evaluate(await bundleReceiver());
  return page.evaluate(
    async (shared) => {
      const form = new FormData();
      form.set('title', shared.title);
      form.set('text', shared.text);
      for (const { name, base64 } of shared.files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        form.append('video', new File([bytes], name, { type: 'video/mp4' }));
      }
      const { receiveShare } = globalThis as unknown as {
        receiveShare(request: Request): Promise<Response>;
      };
      const answer = await receiveShare(new Request('/share', { method: 'POST', body: form }));
      const { pathname, search } = new URL(answer.headers.get('location') ?? '');
      return { status: answer.status, address: pathname + search };
    },
    { files, title, text },
  );
}

/**
 * Submits a form with a video to an address, as a browser does for a share target (Web Share Target API), and as any
 * website's script can.
 */
export async function submitShare(
  page: Page,
  action: string,
  { path, name, title }: { path: string; name: string; title: string },
): Promise<void> {
  const base64 = (await readFile(path)).toString('base64');
  await page.evaluate(
    (shared) => {
      const bytes = Uint8Array.from(atob(shared.base64), (character) => character.charCodeAt(0));
      const { items, files } = new DataTransfer();
      items.add(new File([bytes], shared.name, { type: 'video/mp4' }));
      const form = Object.assign(document.createElement('form'), {
        action: shared.action,
        method: 'POST',
        enctype: 'multipart/form-data',
      });
      const field = (values: object) => Object.assign(document.createElement('input'), values);
      form.append(
        field({ type: 'file', name: 'video', files }),
        field({ name: 'title', value: shared.title }),
      );
      document.body.append(form);
      form.submit();
    },
    { base64, action, name, title },
  );
}

/** The studio's question about videos that another app sent. */
export const shareQuestion = (page: Page) => page.getByRole('region', { name: /^Another app sent/ });

/** Limits how much this site may store in the browser, in bytes. */
export async function limitStorage(page: Page, quotaSize: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize });
  return session;
}
