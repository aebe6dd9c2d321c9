import { readFileSync, writeFileSync } from 'node:fs';

export interface Result {
  /** Worked, failed, or can't be tried. */
  mark: '✓' | '✗' | '–';
  note?: string;
}

export interface BrowserResults {
  /** The browser with its version. */
  version: string;
  /** By the names of journeys. */
  results: Map<string, Result>;
}

const FILE = 'lab/reports/browsers.md';

const cell = (result: Result | undefined): string =>
  result
    ? `${result.mark}${result.note ? `: ${result.note.split('\n')[0]?.replaceAll('|', '\\|')}` : ''}`
    : '';

function toMarkdown(all: BrowserResults[]): string {
  const names = [...new Set(all.flatMap(({ results }) => [...results.keys()]))];
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['journey', ...all.map(({ version }) => version)]),
    row(['---', ...all.map(() => '---')]),
    ...names.map((name) => row([name, ...all.map(({ results }) => cell(results.get(name)))])),
  ].join('\n');
}

export const printTable = (all: BrowserResults[]): void => console.log(`\n${toMarkdown(all)}`);

/** Replaces the table in the report, which is everything from its first row on. */
export function writeTable(all: BrowserResults[]): void {
  const [introduction = ''] = readFileSync(FILE, 'utf8').split(/^\| /m);
  writeFileSync(FILE, `${introduction}${toMarkdown(all)}\n`);
}
