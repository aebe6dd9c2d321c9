import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '@/local/up/data-dir';
import type { BenchContext, Benchmark } from './bench';
import { type Measurement, measurement } from './measurements';
import { fetchText, type RequestTarget } from './requests';
import { seedAccount } from './seed';

/** kB of scripts, gzip, on first load; Next and React alone were 139 when these were set. */
const BUDGETS: [route: RegExp, kilobytes: number][] = [
  [/^\/upload$/, 175],
  [/^\/entry\//, 180],
  [/^\/(login|logout|signup|notices|privacy|terms|reset|reset_password|verify_email)(\/|$)/, 148],
];
const SIGNED_IN_BUDGET = 165;
const LANDING_BUDGET = 148;
const CSS_BUDGET = 20;

/**
 * Lead home, to some entry, to a month, to /login unless a sign-in waits for its code, and home unless a deletion is
 * pending. /setup isn't found once there's an account.
 */
const ELSEWHERE_ROUTES = new Set([
  '/landing',
  '/surprise',
  '/day/[date]',
  '/login/code',
  '/account_deletion',
  '/setup',
]);

const isPublicRoute = (route: string): boolean =>
  /^\/(login|logout|signup|notices|privacy|terms|reset|reset_password|verify_email)(\/|$)/.test(route);

/** The routes that have a page, as folders name them: groups taken out, parameters as they stand. */
function pageRoutes(folder = join(projectRoot, 'app'), route = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return entry.name === 'page.tsx' ? [route || '/'] : [];
    const part = /^[(@_]/.test(entry.name) ? '' : `/${entry.name}`;
    return pageRoutes(join(folder, entry.name), `${route}${part}`);
  });
}

/** An address of the route that answers 200. */
const urlForRoute = (route: string, entryId: string): string =>
  route
    .replace('/journals/timeline', '/journals?view=timeline')
    .replace('/[[...title]]', '')
    .replace('[id]', entryId)
    .replaceAll(/\[\w+\]/g, 'x');

interface Sizes {
  scripts: number;
  styles: number;
}

/** What the page's HTML makes a current browser load, in kB of gzip. */
async function sizesOf(target: RequestTarget, known: Map<string, Promise<number>>): Promise<Sizes> {
  const html = await fetchText(target);
  const sum = async (tags: RegExp, attribute: RegExp): Promise<number> => {
    const found = (html.match(tags) ?? []).filter((tag) => !/\snomodule/i.test(tag));
    const paths = found.flatMap((tag) => attribute.exec(tag)?.[1] ?? []);
    const sizes = [...new Set(paths)].map((path) => {
      const url = new URL(path.replaceAll('&amp;', '&'), target.url).href;
      const size = known.get(url) ?? fetchText({ url }).then((text) => gzipSync(text).length / 1000);
      known.set(url, size);
      return size;
    });
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  };
  return {
    scripts: await sum(/<script\b[^>]*\ssrc="[^"]+"[^>]*>/g, /\ssrc="([^"]+)"/),
    styles: await sum(/<link\b[^>]*rel="stylesheet"[^>]*>/g, /\shref="([^"]+)"/),
  };
}

/** Every page with whoever may see it; '/' twice, as landing and as dashboard. */
export async function pagesToMeasure(
  bench: BenchContext,
  journal: { entryId: string; cookie(): Promise<string> },
): Promise<{ name: string; target: RequestTarget; budget: number }[]> {
  const { url } = await bench.app();
  const { entryId, cookie } = journal;
  const session = await cookie();
  const unverified = await (await seedAccount({ verified: false })).cookie();
  const shown = pageRoutes().filter((route) => !ELSEWHERE_ROUTES.has(route));
  const pages = shown.map((route) => {
    const budget = BUDGETS.find(([pattern]) => pattern.test(route))?.[1] ?? SIGNED_IN_BUDGET;
    const open = route === '/verify_email' ? { cookie: unverified } : {};
    const visitor = isPublicRoute(route) ? open : { cookie: session };
    return { name: route, budget, target: { url: url + urlForRoute(route, entryId), ...visitor } };
  });
  const landing = { name: '/ (signed out)', budget: LANDING_BUDGET, target: { url: `${url}/` } };
  return [landing, ...pages.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

/** The scripts that each page loads at first beside the bare Next page's, where the bar is the budget; the largest CSS. */
export const javascript: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const known = new Map<string, Promise<number>>();
    const bare = await sizesOf({ url: `${(await bench.bareApp()).url}/` }, known);
    const figures: Measurement[] = [];
    let styles = 0;
    for (const { name, target, budget } of await pagesToMeasure(bench, await bench.journal())) {
      const sizes = await sizesOf(target, known);
      styles = Math.max(styles, sizes.styles);
      const ours = sizes.scripts;
      const bar = budget / bare.scripts;
      figures.push(measurement(`JavaScript of ${name}`, { unit: 'kB', ours, limit: bare.scripts, bar }));
    }
    figures.push(
      measurement('CSS of the largest page', { unit: 'kB', ours: styles, limit: CSS_BUDGET, bar: 1 }),
    );
    return figures;
  },
};
