import type { ReceivedSpan } from '@/test/otlp-sink';

/** Sizes in pixels. */
const WIDTH = 960;
const LABELS = 330;
const ROW = 17;
const TOP = 34;
const RIGHT = 70;

/** Queries and storage calls that took less would only be rows without a bar. Milliseconds. */
const SHORT_MS = 15;

/** What a span is about, and the color of its bar: legible on white and on black. */
const KINDS: [kind: string, pattern: RegExp, color: string][] = [
  ['upload', /^upload$/, '#8250df'],
  ['request', /^(?:(?:GET|POST|PUT|DELETE) |authorize$)/, '#2f81f7'],
  ['outbox', /^outbox/, '#bf8700'],
  ['ffmpeg', /^ff(?:mpeg|probe)$/, '#d1497a'],
  ['storage', /^S3 /, '#1b9aaa'],
  ['query', /^(?:select|insert|update|delete|begin|commit|other)\b/, '#8c959f'],
  ['job', /./, '#2da44e'],
];
const kindOf = ({ name }: ReceivedSpan) => KINDS.find(([, pattern]) => pattern.test(name)) ?? KINDS.at(-1);

interface Row {
  span: ReceivedSpan;
  depth: number;
}

/** Returns the spans as a tree in the order of their starts, without the short ones. */
function listRows(spans: ReceivedSpan[]): Row[] {
  const isShown = (span: ReceivedSpan) =>
    !/^(?:query|storage)$/.test(kindOf(span)?.[0] ?? '') || span.endMs - span.startMs >= SHORT_MS;
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent: string | undefined, depth: number): Row[] =>
    spans
      .filter(({ parentSpanId }) => (ids.has(parentSpanId ?? '') ? parentSpanId : undefined) === parent)
      .sort((one, other) => one.startMs - other.startMs)
      .flatMap((span) => [
        ...(isShown(span) ? [{ span, depth }] : []),
        ...below(span.spanId, isShown(span) ? depth + 1 : depth),
      ]);
  return below(undefined, 0);
}

const escapeXml = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns a duration as people read it. */
const readable = (ms: number) =>
  ms < 1000 ? `${Math.max(Math.round(ms), 1)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Returns a round number of milliseconds, of which about eight fit into `total`. */
function tickMs(total: number): number {
  const power = 10 ** Math.floor(Math.log10(total / 8));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => total / step <= 9) ?? power * 10;
}

/** Draws a trace as an SVG picture: a row for each span, its bar from its start to its end. */
export function drawWaterfall(spans: ReceivedSpan[]): string {
  const rows = listRows(spans);
  const start = Math.min(...rows.map(({ span }) => span.startMs));
  const total = Math.max(...rows.map(({ span }) => span.endMs)) - start;
  const x = (ms: number) => LABELS + ((ms - start) / total) * (WIDTH - LABELS - RIGHT);
  const height = TOP + rows.length * ROW + 8;
  const used = KINDS.filter(([kind]) => rows.some(({ span }) => kindOf(span)?.[0] === kind));
  const legend = used.map(
    ([kind, , color], index) =>
      `<rect x="${4 + index * 76}" y="5" width="9" height="9" fill="${color}"/><text x="${17 + index * 76}" y="13">${kind}</text>`,
  );
  const step = tickMs(total);
  const ticks = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step).map((at) => {
    const left = x(start + at).toFixed(1);
    return `<line x1="${left}" x2="${left}" y1="${TOP - 4}" y2="${height}" stroke="#8c959f" stroke-opacity=".3"/><text x="${left}" y="${TOP - 8}" text-anchor="middle">${at === 0 ? '0' : readable(at)}</text>`;
  });
  const bars = rows.map(({ span, depth }, index) => {
    const top = TOP + index * ROW;
    const [left, right] = [x(span.startMs), x(span.endMs)];
    const label = escapeXml(span.name.replace('/api/v1', ''));
    const width = Math.max(right - left, 1.5).toFixed(1);
    return `<text x="${4 + depth * 12}" y="${top + 11}">${label}</text><rect x="${left.toFixed(1)}" y="${top + 2}" width="${width}" height="11" rx="2" fill="${kindOf(span)?.[2]}"/><text x="${(right + 5).toFixed(1)}" y="${top + 11}">${readable(span.endMs - span.startMs)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="A trace of an upload">
<style>text{font:11px ui-sans-serif,system-ui,sans-serif;fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#9198a1}}</style>
${[...legend, ...ticks, ...bars].join('\n')}
</svg>
`;
}
