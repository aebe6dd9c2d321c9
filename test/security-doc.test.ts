import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FILES = ['asvs-v1-v5', 'asvs-v6-v10', 'asvs-v11-v17'].map((name) => `docs/security/${name}.md`);
/** Requirements of levels 1 and 2 in ASVS 5.0.0. */
const REQUIREMENTS = 253;

interface Row {
  id: string;
  result: string;
  how: string;
  evidence: string[];
}

interface Chapter {
  name: string;
  listed: string[];
  rows: Row[];
}

/** Spells out a list such as "1.1.1–2, 1.2.4". */
const spellOut = (list: string): string[] =>
  list.split(', ').flatMap((range) => {
    const [, section = '', first, last = first] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(range) ?? [];
    const length = Number(last) - Number(first) + 1;
    return Array.from({ length }, (_, at) => `${section}.${Number(first) + at}`);
  });

function readRow(line: string): Row {
  const [, id = '', , , result = '', how = '', shownBy = ''] = line.split('|').map((cell) => cell.trim());
  return { id, result, how, evidence: [...shownBy.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) };
}

const chapters: Chapter[] = FILES.flatMap((file) => {
  const parts = readFileSync(file, 'utf8').split(/^## /m).slice(1);
  return parts.map((part) => ({
    name: part.split('\n')[0] ?? '',
    listed: spellOut(/^Requirements: (.+)$/m.exec(part)?.[1] ?? ''),
    rows: part
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .map(readRow),
  }));
});
const rows = chapters.flatMap((chapter) => chapter.rows);

it('covers every requirement of levels 1 and 2 once', () => {
  expect(chapters.map(({ name }) => name.split(' ')[0])).toEqual(
    Array.from({ length: 17 }, (_, index) => `V${index + 1}`),
  );
  for (const { name, listed, rows: own } of chapters)
    expect(
      own.map(({ id }) => id),
      name,
    ).toEqual(listed);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(REQUIREMENTS);
  expect(rows).toHaveLength(REQUIREMENTS);
});

it('has no requirement that fails, and says why or how for each', () => {
  for (const { id, result, how } of rows) {
    expect(['pass', 'partial', 'n/a'], id).toContain(result);
    expect(how, id).not.toBe('');
  }
});

it('points only to files that exist, and to at least one unless the requirement does not apply', () => {
  for (const { id, result, evidence } of rows) {
    if (result !== 'n/a') expect(evidence.length, id).toBeGreaterThan(0);
    for (const path of evidence) expect(existsSync(path), `${id}: ${path}`).toBe(true);
  }
});

it('counts the results of each chapter', () => {
  const overview = readFileSync('docs/security.md', 'utf8');
  for (const { name, rows: own } of chapters) {
    const counts = ['pass', 'partial', 'n/a'].map(
      (result) => own.filter((row) => row.result === result).length,
    );
    const line = overview.split('\n').find((text) => text.startsWith(`| [${name}](`));
    expect(line?.split('|').slice(2, 5).map(Number), name).toEqual(counts);
  }
});

it('links only to files that exist', () => {
  const overview = readFileSync('docs/security.md', 'utf8');
  const targets = [...overview.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
  const linked = targets.filter((to) => !to.startsWith('http')).map((target) => `docs/${target}`);
  const named = [...overview.matchAll(/`((?:lib|db|app|local|e2e|inngest)\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(linked.length).toBeGreaterThan(FILES.length - 1);
  expect(named).not.toEqual([]);
  expect([...linked, ...named].filter((path) => !existsSync(path))).toEqual([]);
});
