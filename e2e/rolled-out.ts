import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Route } from '@playwright/test';
import { projectRoot } from '@/local/up/data-dir';

/** Which version answers: the one that's installed, the next one, or each in turn for every address. */
type Rollout = 'old' | 'new' | 'both';

const OLD_FILES = 'static/chunks/';
const NEW_FILES = 'static/chunks-of-the-next-version/';

/**
 * Shows a browser a release without a second build. The next version is the same app whose files with code all have
 * other names, and whose pages and scripts refer to those. Each version lacks the other one's files.
 * @returns sets who answers from now on
 */
export async function simulateReleases(
  context: BrowserContext,
  origin: string,
): Promise<(rollout: Rollout) => void> {
  const buildId = readFileSync(join(projectRoot, '.next', 'BUILD_ID'), 'utf8');
  let rollout: Rollout = 'old';
  const turns = new Map<string, number>();
  const isNew = (url: string): boolean => {
    const turn = (turns.get(url) ?? 0) + 1;
    turns.set(url, turn);
    return rollout === 'both' ? turn % 2 === 0 : rollout === 'new';
  };

  async function answer(route: Route): Promise<void> {
    const request = route.request();
    const url = request.url();
    const fromNew = isNew(url);
    const missing = fromNew ? OLD_FILES : NEW_FILES;
    if (url.includes(missing)) return route.fulfill({ status: 404, body: 'Not Found' });
    if (!fromNew) return route.continue();
    const response = await route.fetch({ url: url.replace(NEW_FILES, OLD_FILES), maxRedirects: 0 });
    const type = response.headers()['content-type'] ?? '';
    if (!/html|javascript|x-component/.test(type)) return route.fulfill({ response });
    const body = (await response.text())
      .replaceAll(OLD_FILES, NEW_FILES)
      .replaceAll(buildId, `${buildId}-of-the-next-version`);
    return route.fulfill({ response, body });
  }

  await context.route(
    (url) => url.origin === origin && !url.pathname.startsWith('/api/'),
    // A page that's left takes its requests with it.
    (route) => answer(route).catch(() => undefined),
  );
  return (next) => {
    rollout = next;
  };
}
