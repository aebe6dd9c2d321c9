import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS, type Metric } from '@/lib/foundation/telemetry/metric-definitions';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const alerts = read('deploy/alerts.yaml');

/** Returns the names that Prometheus gives a metric: units become suffixes, and so do a counter's and a histogram's parts. */
function prometheusNames(name: string, { kind, unit }: Metric): string[] {
  const suffix = { s: '_seconds', By: '_bytes', '1': '_ratio' }[unit] ?? '';
  const base = name.replaceAll('.', '_') + suffix;
  if (kind === 'histogram') return ['_bucket', '_count', '_sum'].map((part) => base + part);
  return kind === 'counter' || kind === 'total' ? [`${base}_total`] : [base];
}

it('lists every metric in docs/telemetry.md, with its unit and what it means', () => {
  const rows = Object.entries(METRICS).map(
    ([name, { unit, description }]) => `| \`${name}\` | ${unit} | ${description} |`,
  );
  const [, table = ''] =
    /<!-- metrics:start -->\n([\s\S]*?)\n<!-- metrics:end -->/.exec(read('docs/telemetry.md')) ?? [];
  expect(table.split('\n')).toEqual(['| metric | unit | what it is |', '| --- | --- | --- |', ...rows]);
});

it('alerts only on metrics that the app exports', () => {
  const known = Object.entries(METRICS).flatMap(([name, metric]) => prometheusNames(name, metric));
  const used = [...alerts.matchAll(/\b((?:daylight|http|db|nodejs|process)_\w+)\b/g)]
    .map(([, name = '']) => name)
    .filter(
      (name) =>
        !/^(?:daylight_(?:check|folder|kind|outcome)|http_(?:route|response_status_code))$/.test(name),
    );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
});

it('gives every alert a section of the runbook that names it', () => {
  const sections = read('docs/runbook.md').split(/^## /m);
  const named = [...alerts.matchAll(/alert: (\w+)[\s\S]*?runbook: docs\/runbook\.md#(\S+)/g)];
  expect(named).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
  for (const [, alert = '', anchor = ''] of named) {
    const section = sections.find((text) => {
      const [heading = ''] = text.split('\n');
      return (
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-') === anchor
      );
    });
    expect(section, alert).toContain(`\`${alert}\``);
  }
});

it('names events in the runbook that the app logs', () => {
  const files = ['lib', 'inngest', 'app'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => read(join(folder, name))),
  );
  const logged = new Set(files.flatMap((text) => text.match(/(?<=event: ')[\w.-]+(?=')/g) ?? []));
  const named = [...read('docs/runbook.md').matchAll(/`([a-z-]+\.[a-z_]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !logged.has(name))).toEqual([]);
});
