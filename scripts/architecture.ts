/**
 * `npm run architecture`: prints which folders of lib import each other and which imports point from a lower layer to a
 * higher one, by the real imports and the layers in layers.cjs. Exits with 1 when there are more than LIMITS allows.
 * With `-- --write` it also redraws the diagram in docs/architecture.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** The most pairs of folders in lib that may import each other, and the most upward imports between layers. */
export const LIMITS = { pairs: 0, upward: 0 };

export interface Layer {
  name: string;
  /** A regular expression for the paths of its modules. */
  path: string;
}

export interface Import {
  from: string;
  to: string;
}

/** An arrow between two folders or layers, with the imports it stands for. */
export interface Arrow {
  from: string;
  to: string;
  imports: Import[];
}

/** Layers that the diagram draws as one box. Each group is consecutive in layers.cjs, so that arrows keep pointing down. */
const GROUPS: Record<string, string[]> = {
  account: [
    'sessions',
    'settings',
    'credentials',
    'invitations',
    'webauthn',
    'security',
    'passkeys',
    'identities',
    'accounts',
    'setup',
    'billing',
    'operators',
  ],
  journal: [
    'plans',
    'notes',
    'tags',
    'transcripts',
    'entries',
    'downloads',
    'previews',
    'processing',
    'uploads',
    'memories',
    'search',
  ],
  platform: ['services', 'media', 'speech', 'http', 'limits', 'outbox', 'mail templates', 'mails', 'audit'],
};

const SOURCES = ['app', 'components', 'lib', 'db', 'inngest', 'middleware.ts', 'instrumentation.ts'];
const DOCUMENT = 'docs/architecture.md';
const MARKERS = ['<!-- diagram:start -->', '<!-- diagram:end -->'] as const;

/** Returns the layers, lowest first. */
export function readLayers(root: string): Layer[] {
  const { layers } = createRequire(import.meta.url)(join(root, 'layers.cjs')) as { layers: Layer[] };
  return layers;
}

/** Returns every import between modules of the app, types included and tests left out. */
export async function readImports(root: string): Promise<Import[]> {
  const options: ICruiseOptions = {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(\\.next|\\.data)/', '\\.test\\.tsx?$'] },
    includeOnly: { path: `^(${SOURCES.map((source) => source.replace('.', '\\.')).join('|')})` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  };
  const { output } = await cruise(SOURCES, options, undefined, {
    tsConfig: extractTsConfig(join(root, 'tsconfig.json')),
  });
  const { modules } = output as ICruiseResult;
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
}

/** Groups imports into arrows between what `placeOf` answers; null leaves a module out. */
export function arrowsBetween(imports: Import[], placeOf: (path: string) => string | null): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const found of imports) {
    const [from, to] = [placeOf(found.from), placeOf(found.to)];
    if (from === null || to === null || from === to) continue;
    const key = `${from} ${to}`;
    const arrow = arrows.get(key) ?? { from, to, imports: [] };
    arrow.imports.push(found);
    arrows.set(key, arrow);
  }
  return [...arrows.values()];
}

/** Returns the folder of a module in lib; modules right in lib count as one folder. */
export const libFolder = (path: string): string | null =>
  /^lib\/(?:([^/]+)\/)?[^/]/.test(path) ? (/^lib\/([^/]+)\//.exec(path)?.[1] ?? 'lib') : null;

/** Returns the folders of lib that import each other, the direction with fewer imports first. */
export function mutualImports(imports: Import[]): [Arrow, Arrow][] {
  const arrows = arrowsBetween(imports, libFolder);
  return arrows.flatMap((there) => {
    const back = arrows.find(({ from, to }) => from === there.to && to === there.from);
    if (!back || there.from > back.from) return [];
    const pair: [Arrow, Arrow] = there.imports.length <= back.imports.length ? [there, back] : [back, there];
    return [pair];
  });
}

/** Returns the layer of a module. @throws Error when it has none */
export function layerOf(layers: Layer[], path: string): string {
  const layer = layers.find((candidate) => new RegExp(candidate.path).test(path));
  if (!layer) throw new Error(`${path} is in no layer. Add its folder to layers.cjs.`);
  return layer.name;
}

/** Returns the arrows between layers, and those of them that point from a lower layer to a higher one. */
export function layerArrows(layers: Layer[], imports: Import[]): { arrows: Arrow[]; upward: Arrow[] } {
  const arrows = arrowsBetween(imports, (path) => layerOf(layers, path));
  const height = new Map(layers.map(({ name }, index) => [name, index]));
  const isUpward = ({ from, to }: Arrow) => (height.get(from) ?? 0) < (height.get(to) ?? 0);
  return { arrows: arrows.filter((arrow) => !isUpward(arrow)), upward: arrows.filter(isUpward) };
}

/** Leaves out every arrow that a path of other arrows implies. */
export function withoutImplied<T extends { from: string; to: string }>(arrows: T[]): T[] {
  const reaches = (from: string, to: string, without: T, seen = new Set<string>()): boolean =>
    arrows.some((arrow) => {
      if (arrow === without || arrow.from !== from || seen.has(arrow.to)) return false;
      return arrow.to === to || reaches(arrow.to, to, without, seen.add(arrow.to));
    });
  return arrows.filter((arrow) => !reaches(arrow.from, arrow.to, arrow));
}

/** Returns the Mermaid diagram of the layers, those of {@link GROUPS} as one box each. */
export function drawDiagram(layers: Layer[], imports: Import[]): string {
  const { arrows, upward } = layerArrows(layers, imports);
  const used = layers
    .map(({ name }) => name)
    .filter((name) => [...arrows, ...upward].some(({ from, to }) => name === from || name === to));
  const boxOf = (layer: string) =>
    Object.entries(GROUPS).find(([, members]) => members.includes(layer))?.[0] ?? layer;
  const boxes = [...new Set(used.map(boxOf))].reverse();
  const draw = (box: string) => {
    const members = used.filter((layer) => boxOf(layer) === box);
    return `  ${box}["${members[0] === box ? box : `<b>${box}</b><br/>${members.join(', ')}`}"]`;
  };
  const merge = (list: Arrow[]) =>
    arrowsBetween(
      list.map(({ from, to }) => ({ from, to })),
      boxOf,
    );
  const sort = (list: Arrow[]) =>
    list.toSorted((one, other) => `${one.from} ${one.to}`.localeCompare(`${other.from} ${other.to}`));
  return [
    '```mermaid',
    'flowchart TD',
    ...boxes.map(draw),
    ...sort(withoutImplied(merge(arrows))).map(({ from, to }) => `  ${from} --> ${to}`),
    ...sort(merge(upward)).map(({ from, to }) => `  ${from} -. upward .-> ${to}`),
    '```',
  ].join('\n');
}

/** Returns the document with the diagram between its markers. @throws Error when it has no markers */
export function insertDiagram(document: string, diagram: string): string {
  const [start, end] = MARKERS.map((marker) => document.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start) {
    throw new Error(`${DOCUMENT} needs the lines ${MARKERS.join(' and ')}.`);
  }
  return `${document.slice(0, start + MARKERS[0].length)}\n${diagram}\n${document.slice(end)}`;
}

const listImports = (arrow: Arrow): string =>
  arrow.imports.map(({ from, to }) => `      ${from} -> ${to}`).join('\n');

async function main(write: boolean): Promise<void> {
  const root = resolve(fileURLToPath(import.meta.url), '../..');
  const layers = readLayers(root);
  const imports = await readImports(root);
  const pairs = mutualImports(imports);
  const { upward } = layerArrows(layers, imports);
  console.log(`Folders of lib that import each other: ${pairs.length} (at most ${LIMITS.pairs})`);
  for (const [fewer, more] of pairs) {
    console.log(
      `  ${fewer.from} -> ${fewer.to} (${fewer.imports.length}), ${more.from} -> ${more.to} (${more.imports.length})`,
    );
    console.log(listImports(fewer));
  }
  console.log(`Upward arrows between layers: ${upward.length} (at most ${LIMITS.upward})`);
  for (const arrow of upward) console.log(`  ${arrow.from} -> ${arrow.to}\n${listImports(arrow)}`);
  if (pairs.length > LIMITS.pairs || upward.length > LIMITS.upward) process.exitCode = 1;
  if (!write) return;
  const path = join(root, DOCUMENT);
  writeFileSync(path, insertDiagram(readFileSync(path, 'utf8'), drawDiagram(layers, imports)));
  console.log(`Redrew the diagram in ${DOCUMENT}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.includes('--write'));
