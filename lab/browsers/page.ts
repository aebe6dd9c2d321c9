import { setTimeout as delay } from 'node:timers/promises';

/** What a person points at. `name` is the accessible name; a string has to match all of it. */
export interface Target {
  role?:
    | 'button'
    | 'link'
    | 'heading'
    | 'textbox'
    | 'searchbox'
    | 'combobox'
    | 'menuitem'
    | 'option'
    | 'group';
  name?: string | RegExp;
  /** The label of a form field. */
  label?: string;
  text?: string | RegExp;
  css?: string;
}

export const button = (name: string | RegExp): Target => ({ role: 'button', name });
export const link = (name: string | RegExp): Target => ({ role: 'link', name });
export const field = (label: string): Target => ({ label });
export const text = (wanted: string | RegExp): Target => ({ text: wanted });
export const css = (selector: string): Target => ({ css: selector });

/** One tab. What every journey is written with, so that each browser runs the same text. */
export interface BrowserPage {
  /** Opens a path of the site, or an address, and waits until it's loaded. */
  goto(path: string): Promise<void>;
  reload(): Promise<void>;
  /** Returns how many visible elements match. */
  count(target: Target): Promise<number>;
  /** Clicks the first match once it's visible. */
  click(target: Target): Promise<void>;
  /** Taps it with a finger. @throws Unsupported where the driver has no touch */
  tap(target: Target): Promise<void>;
  /** Replaces the text of a field, or selects an option by its value. */
  fill(target: Target, value: string): Promise<void>;
  /** Presses a key, by its name in KeyboardEvent.key, in whatever has the focus. */
  press(key: string): Promise<void>;
  /** Chooses files in an input, which may be hidden. */
  upload(selector: string, paths: string[]): Promise<void>;
  /** Runs a function in the page. Its arguments and its result are JSON. */
  evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Clicks a link that downloads, and returns the file. */
  download(target: Target): Promise<Buffer>;
  /** Gives the browser an authenticator that asks nobody. @throws Unsupported where there's none */
  allowPasskeys(): Promise<void>;
  /** Sets the size of the page, in CSS pixels. @returns the width that it got */
  resize(width: number, height: number): Promise<number>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A browser on a profile. */
export interface Session {
  /** The browser as people call it, with its version. */
  version: string;
  newPage(): Promise<BrowserPage>;
  /** Returns errors of pages and of the console since the last call. */
  problems(): string[];
  /**
   * Sends SIGKILL to the browser and starts it on the same profile; where the driver's profiles end with the browser, to
   * the process of the page only.
   * @returns when it was sent, in milliseconds of Date.now()
   */
  crash(): Promise<number>;
  close(): Promise<void>;
}

export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  /** What `Session.crash` kills. */
  crashes: 'browser' | 'page';
  /** @param site the address that paths belong to */
  open(profile: string, site: string): Promise<Session>;
}

/** Says that a journey can't be tried in a browser, and why. */
export class Unsupported extends Error {}

const WAIT_MS = 40_000;

/** Waits until a condition holds. @throws Error that names it, with what was seen last */
export async function until<T>(
  what: string,
  look: () => Promise<T>,
  holds: (seen: T) => boolean = Boolean,
  waitMs = WAIT_MS,
): Promise<T> {
  const end = Date.now() + waitMs;
  let seen: T | Error;
  do {
    // While a page changes, what was found in it may be gone.
    seen = await look().catch((error: Error) => error);
    if (!(seen instanceof Error) && holds(seen)) return seen;
    await delay(150);
  } while (Date.now() < end);
  throw new Error(`${what}: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`);
}

/** Waits until something is visible. */
export const see = (page: BrowserPage, target: Target, waitMs = WAIT_MS): Promise<unknown> =>
  until(`waited for ${describe(target)}`, () => page.count(target), Boolean, waitMs);

/** Waits until the page has a path. */
export const seePath = (page: BrowserPage, path: string): Promise<unknown> =>
  until(
    `waited for ${path}`,
    () => page.evaluate(() => window.location.pathname),
    (now) => now === path,
  );

/** Waits until something isn't there anymore. */
export const seeNone = (page: BrowserPage, target: Target): Promise<unknown> =>
  until(
    `waited until ${describe(target)} is gone`,
    () => page.count(target),
    (count) => count === 0,
  );

/** Returns a target as a message shows it. */
export const describe = (target: Target): string =>
  Object.entries(target)
    .map(([key, value]) => (key === 'role' ? value : `${key} ${value}`))
    .join(' ');

/** Returns the source of an expression that calls a function. The compiler's helper for names isn't in pages. */
export const callSource = (work: (...args: never[]) => unknown, args: unknown[]): string =>
  `(async () => { const __name = (it) => it; return await (${work})(...${JSON.stringify(args)}); })()`;
