import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
} from 'react';

/**
 * What a page does when it needs a file of its own version and the server has a newer one: it reloads, unless that would
 * lose something. Then it says so, and the person decides.
 */

/** A page that was reloaded this recently isn't reloaded again, so that it can't loop. Milliseconds. */
const RELOAD_PAUSE = 60_000;

/** The event that says that there's a new version. */
export const NEW_VERSION = 'daylight-new-version';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const changedFields = new Set<Field>();

function rememberField({ target }: Event): void {
  if (target instanceof Element && target.matches('input, textarea, select'))
    changedFields.add(target as Field);
}

/** Starts to notice which fields people change. @returns a function that stops it */
export function watchFields(): () => void {
  document.addEventListener('input', rememberField, true);
  return () => document.removeEventListener('input', rememberField, true);
}

const holds = new Set<symbol>();

/** Keeps this page from reloading by itself. @returns a function that ends that */
export function holdReload(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => void holds.delete(hold);
}

/** Returns whether the browser would ask before leaving, such as during a recording or an upload. */
function asksBeforeLeaving(): boolean {
  const question = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(question);
  return question.defaultPrevented;
}

function wasJustReloaded(): boolean {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return loaded?.type === 'reload' && performance.now() < RELOAD_PAUSE;
}

/**
 * Reloads the page, unless that would lose or interrupt something, or has just been done.
 * @returns whether it does
 */
export function reloadIfIdle(): boolean {
  const isChanged = [...changedFields].some((field) => field.isConnected && field.value !== '');
  const reloads = holds.size === 0 && !isChanged && !asksBeforeLeaving() && !wasJustReloaded();
  if (reloads) window.location.reload();
  return reloads;
}

/** Reloads the page for the new version, or shows a notice if that would lose or interrupt something. */
export function offerNewVersion(): void {
  if (!reloadIfIdle()) window.dispatchEvent(new Event(NEW_VERSION));
}

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

/** Like {@link loadCode}, but waits for the network. */
export async function loadCodePatiently<Module>(load: () => Promise<Module>): Promise<Module> {
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

/**
 * React's `lazy` for a component whose file may be gone after a release: `lazyComponent(() => import('./file'), 'Name')`.
 * Show it inside `Suspense`. Waits for the network, because a component that can't be loaded would replace the page.
 */
export const lazyComponent = <Name extends string, File extends Record<Name, AnyComponent>>(
  load: () => Promise<File>,
  name: Name,
): LazyExoticComponent<File[Name]> => lazy(async () => ({ default: (await loadCodePatiently(load))[name] }));

/** Like {@link lazyComponent}, for a part of a page in whose place there's nothing until its code has loaded. */
export function lazyPart<Name extends string, File extends Record<Name, AnyComponent>>(
  load: () => Promise<File>,
  name: Name,
): (props: ComponentProps<File[Name]>) => ReactNode {
  const Part: AnyComponent = lazyComponent(load, name);
  return (props) => createElement(Suspense, null, createElement(Part, props));
}
