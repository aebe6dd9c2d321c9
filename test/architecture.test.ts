import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  drawDiagram,
  type Import,
  insertDiagram,
  LIMITS,
  layerArrows,
  layerOf,
  mutualImports,
  readImports,
  readLayers,
  withoutImplied,
} from '@/scripts/architecture';

const root = resolve(import.meta.dirname, '..');

describe('the committed code', () => {
  const layers = readLayers(root);
  let imports: Import[];
  beforeAll(async () => {
    imports = await readImports(root);
  });

  it('stays within the limits on mutual and upward imports', () => {
    expect(imports.length).toBeGreaterThan(1000);
    expect(mutualImports(imports).length).toBeLessThanOrEqual(LIMITS.pairs);
    expect(layerArrows(layers, imports).upward.length).toBeLessThanOrEqual(LIMITS.upward);
  });

  it('matches the diagram in docs/architecture.md; run `npm run architecture -- --write` when it changes', () => {
    const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    expect(insertDiagram(document, drawDiagram(layers, imports))).toBe(document);
  });
});

const LAYERS = [
  { name: 'base', path: '^lib/[^/]+\\.ts$' },
  { name: 'notes', path: '^lib/journal/notes/' },
  { name: 'entries', path: '^lib/journal/entries/' },
  { name: 'app', path: '^app/' },
];

it('pairs folders of lib that import each other, counting the files right in lib as one folder', () => {
  const pairs = mutualImports([
    { from: 'lib/journal/notes/a.ts', to: 'lib/journal/entries/a.ts' },
    { from: 'lib/journal/notes/b.ts', to: 'lib/journal/entries/a.ts' },
    { from: 'lib/journal/entries/a.ts', to: 'lib/journal/notes/a.ts' },
    { from: 'lib/foundation/log.ts', to: 'lib/journal/notes/a.ts' },
    { from: 'lib/journal/notes/a.ts', to: 'lib/foundation/env.ts' },
    { from: 'lib/journal/entries/a.ts', to: 'lib/foundation/env.ts' },
    { from: 'app/page.ts', to: 'lib/journal/notes/a.ts' },
  ]);
  expect(pairs.map(([fewer, more]) => [fewer.from, fewer.to, more.imports.length])).toEqual([
    ['entries', 'notes', 2],
    ['lib', 'notes', 1],
  ]);
});

it('tells imports that point up a layer from those that point down', () => {
  const { arrows, upward } = layerArrows(LAYERS, [
    { from: 'app/page.ts', to: 'lib/journal/notes/a.ts' },
    { from: 'lib/journal/notes/a.ts', to: 'lib/journal/notes/b.ts' },
    { from: 'lib/journal/notes/a.ts', to: 'lib/journal/entries/a.ts' },
    { from: 'lib/journal/notes/b.ts', to: 'lib/journal/entries/a.ts' },
  ]);
  expect(arrows.map(({ from, to }) => [from, to])).toEqual([['app', 'notes']]);
  expect(upward.map(({ from, to, imports }) => [from, to, imports.length])).toEqual([
    ['notes', 'entries', 2],
  ]);
});

it('names a module that no layer has', () => {
  expect(() => layerOf(LAYERS, 'lib/journal/tags/service.ts')).toThrow(
    /lib\/tags\/service\.ts is in no layer/,
  );
});

it('leaves out arrows that others imply, and ends when arrows go around in a circle', () => {
  const arrow = (from: string, to: string) => ({ from, to });
  const chain = [arrow('a', 'b'), arrow('b', 'c'), arrow('a', 'c'), arrow('c', 'd'), arrow('a', 'd')];
  expect(withoutImplied(chain)).toEqual([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'd')]);
  const circle = [arrow('a', 'b'), arrow('b', 'a'), arrow('b', 'c')];
  expect(withoutImplied(circle)).toEqual(circle);
});
