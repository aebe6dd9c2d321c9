import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const records = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['', 'bench/', 'browsers/', 'load/', 'node/', 'real/', 'sample/', 'scale/', 'speech/'].map(
    (folder) => `lab/${folder}README.md`,
  ),
  'docs/architecture.md',
  'docs/archive-format.md',
  'docs/browsers.md',
  'docs/deletion-receipts.md',
  'docs/deploy/aws.md',
  'docs/deploy/nas.md',
  'docs/deploy/vercel.md',
  'docs/deploy/vps.md',
  'docs/formats.md',
  'docs/limits.md',
  'docs/operations.md',
  'docs/runbook.md',
  'docs/security.md',
  'docs/settings.md',
  'docs/storage.md',
  'docs/telemetry.md',
  'docs/testing.md',
  'docs/decisions/README.md',
  ...records.map((name) => `docs/decisions/${name}`),
  'lab/reports/browsers.md',
  'lab/reports/scale.md',
];

/** Made by the worked example in CONTRIBUTING.md, or by a run. */
const NOT_COMMITTED = ['components/journal/notes/delete-all-notes.tsx', 'lab/bench/results.json'];

it.each(documents)('%s links to files that exist', (path) => {
  const links = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target.split('#')[0] ?? '',
  );
  const broken = links.filter(
    (target) => target !== '' && !/^\w+:/.test(target) && !existsSync(resolve(root, dirname(path), target)),
  );
  expect(broken).toEqual([]);
});

/** Returns a document without its table of paths that are gone. */
const withoutOldPaths = (text: string): string => text.replace(/^## Old paths$[\s\S]*/m, '');

it.each(documents)('%s names files that exist', (path) => {
  const named = [
    ...withoutOldPaths(read(path)).matchAll(
      /`((?:app|lab|components|db|deploy|docs|e2e|inngest|lib|local|scripts|test)\/[^`\s]*)`/g,
    ),
  ].map(([, name = '']) => name);
  const missing = named.filter(
    (name) => !/[<*…{]/.test(name) && !NOT_COMMITTED.includes(name) && !existsSync(join(root, name)),
  );
  expect(missing).toEqual([]);
});

it.each(documents)('%s names constants that their files have', (path) => {
  const missing = [...read(path).matchAll(/`([A-Z][A-Z_]+)`\s\(`([\w/-]+\.tsx?)`\)/g)].filter(
    ([, name = '', file = '']) => !new RegExp(`\\b${name}\\b`).test(read(file)),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});

it.each(documents)('%s links to headings that exist', (path) => {
  const anchorsOf = (file: string) =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  const links = [...read(path).matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, target = '', anchor = '']) => {
    const file = target === '' ? path : relative(root, resolve(root, dirname(path), target));
    return !anchorsOf(file).includes(anchor);
  });
  expect(broken.map(([text]) => text)).toEqual([]);
});

it('shows a picture in README that exists', () => {
  const pictures = [...read('README.md').matchAll(/\bsrc(?:set)?="([^"]+)"/g)].map(([, path = '']) => path);
  expect(pictures).not.toEqual([]);
  expect(pictures.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

const countWords = (path: string) => read(path).split(/\s+/).filter(Boolean).length;

it('keeps README at 700 words', () => {
  expect(countWords('README.md')).toBeLessThanOrEqual(700);
});

it('gives every decision record its sections and a place in the index', () => {
  const index = read('docs/decisions/README.md');
  expect(records.length).toBeGreaterThan(10);
  expect(records.length).toBeLessThanOrEqual(30);
  for (const name of records) {
    const text = read(`docs/decisions/${name}`);
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections[0], name).toBe('How it works');
    expect([[], ['What we tried or rejected']], name).toContainEqual(sections.slice(1));
    expect(text.split('\n').length, name).toBeLessThanOrEqual(150);
    expect(index, name).toContain(`| [${text.slice(2, text.indexOf('\n'))}](${name}) |`);
  }
});

it('has decision records that a newcomer can read in an hour', () => {
  const words = records.map((name) => countWords(`docs/decisions/${name}`));
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(15_000);
});

/** The most files that a walk may pass through. */
const WALKS = {
  'A title edit': 6,
  'A search': 12,
  'A Stripe event': 12,
  'A recording, up to a click on one of its words': 30,
};
/** Where a request or an event arrives, without an import. */
const ENTRANCE = /^app\/.+\/(?:route|page)\.tsx?$|^inngest\/functions\//;

it.each(Object.entries(WALKS))('walks %s through files that import each other, %i at most', (name, limit) => {
  const walk = read('docs/architecture.md').split(`### ${name} (`)[1]?.split('\n##')[0] ?? '';
  const files = [
    ...new Set(
      [...walk.matchAll(/`((?:app|components|inngest|lib)\/[^`\s]+\.tsx?)`/g)].map(([, path = '']) => path),
    ),
  ];
  expect(files.length).toBe(Number.parseInt(walk, 10));
  expect(files.length).toBeLessThanOrEqual(limit);
  const imported = new Set<string>();
  for (const file of files) {
    if (file !== files[0] && !ENTRANCE.test(file)) expect(imported, `${name}: ${file}`).toContain(file);
    for (const [, path = ''] of read(file).matchAll(/['"]((?:@\/|\.\/)[^'"]+)['"]/g)) {
      const target = path.startsWith('@/') ? path.slice(2) : join(dirname(file), path);
      imported.add(`${target}.ts`).add(`${target}.tsx`);
    }
  }
});
