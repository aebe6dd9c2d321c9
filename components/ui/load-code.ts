import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { offerNewVersion } from './new-version';

/** How long to wait before loading code again that the network didn't deliver, in milliseconds. */
const RETRY_DELAY = 3000;

/** Returns whether an error means that a file with code couldn't be loaded: Turbopack's, webpack's, or a browser's own. */
export function isCodeMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ChunkLoadError') return true;
  return /^Failed to load chunk |^Loading (CSS )?chunk |dynamically imported module/.test(error.message);
}

/**
 * Returns whether the server no longer has the file that an error names, because a new version replaced it. False while
 * the server can't be reached.
 */
export async function isFileGone({ message }: Error): Promise<boolean> {
  const [path] = /\/(_next\/static|speech)\/[^\s?#")]+/.exec(message) ?? [];
  if (!path) return navigator.onLine;
  const answer = await fetch(path, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.status === 404;
}

/** Never resolves: the page is about to be reloaded, or says that it should be. */
const never = new Promise<never>(() => {});

/**
 * Loads code that's in a file of its own: `loadCode(() => import('./file'))`. If a new version has replaced the file,
 * offers that version, and never resolves.
 * @throws ChunkLoadError if the network fails
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isCodeMissing(error) || !(await isFileGone(error as Error))) throw error;
    offerNewVersion();
    return never;
  }
}

/** Like `loadCode`, but waits for the network, because a component that can't be loaded would replace the page. */
async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await loadCode(load);
    } catch (error) {
      if (!isCodeMissing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as in React's own types, a component of any props
type AnyComponent = ComponentType<any>;

/** React's `lazy` for a component whose file may be gone after a release. Show it inside `Suspense`. */
export const lazyComponent = <C extends AnyComponent>(
  load: () => Promise<{ default: C }>,
): LazyExoticComponent<C> => lazy(() => loadPatiently(load));
