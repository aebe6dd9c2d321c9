import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const records = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-.+\.md$/.test(name));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  'docs/architecture.md',
  'docs/archive-format.md',
  'docs/deletion-receipts.md',
  'docs/deploy/aws.md',
  'docs/deploy/nas.md',
  'docs/deploy/vercel.md',
  'docs/deploy/vps.md',
  'docs/limits.md',
  'docs/operations.md',
  'docs/runbook.md',
  'docs/security.md',
  'docs/settings.md',
  'docs/storage.md',
  'docs/telemetry.md',
  'docs/decisions/README.md',
  ...records.map((name) => `docs/decisions/${name}`),
];

/** Made by the worked example in CONTRIBUTING.md, or by a run. */
const NOT_COMMITTED = ['components/journal/notes/delete-all-notes.tsx', 'bench/results.json'];

it.each(documents)('%s links to files that exist', (path) => {
  const links = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = '']) => target.split('#')[0] ?? '',
  );
  const broken = links.filter(
    (target) => target !== '' && !/^\w+:/.test(target) && !existsSync(resolve(root, dirname(path), target)),
  );
  expect(broken).toEqual([]);
});

it.each(documents)('%s names files that exist', (path) => {
  const named = [
    ...read(path).matchAll(
      /`((?:app|bench|components|db|deploy|docs|e2e|inngest|lib|local|scripts|test)\/[^`\s]*)`/g,
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

it('gives every decision record its sections and a place in the index', () => {
  const index = read('docs/decisions/README.md');
  for (const name of records) {
    const text = read(`docs/decisions/${name}`);
    expect(text, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}\\. .+\\n\\nStatus: \\w`));
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections, name).toEqual(['Context', 'Decision', 'Consequences']);
    expect(index, name).toContain(`](${name}) | ${text.slice(8, text.indexOf('\n'))} |`);
  }
});

it.each([
  ['A title edit', 7],
  ['A recording', 44],
  ['A Stripe event', 13],
])('walks %s through at most %i files, as many as its heading says', (name, limit) => {
  const walk = read('docs/architecture.md').split(`### ${name} (`)[1]?.split('\n##')[0] ?? '';
  const files = new Set(
    [...walk.matchAll(/`((?:app|components|inngest|lib)\/[^`\s]+)`/g)].map(([, path]) => path),
  );
  expect(files.size).toBe(Number.parseInt(walk, 10));
  expect(files.size).toBeLessThanOrEqual(limit);
});
