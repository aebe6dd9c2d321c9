import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

type Attribute = { key: string; value: Record<string, string | number | boolean> };
type Scope<Key extends string, Item> = { [key in Key]: Item[] };

/** A span as OTLP's JSON has it. Times are nanoseconds. */
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  status?: { code?: number };
  links?: { traceId: string }[];
}

interface OtlpPoint {
  attributes?: Attribute[];
  asDouble?: number;
  asInt?: number;
  count?: number;
}

interface OtlpMetric {
  name: string;
  unit?: string;
  gauge?: { dataPoints: OtlpPoint[] };
  sum?: { dataPoints: OtlpPoint[] };
  histogram?: { dataPoints: OtlpPoint[] };
}

interface Export {
  resourceSpans?: { scopeSpans: Scope<'spans', OtlpSpan>[] }[];
  resourceMetrics?: { scopeMetrics: Scope<'metrics', OtlpMetric>[] }[];
}

/** A span, with its attributes by name and its times in milliseconds. */
export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  attributes: Record<string, string | number | boolean>;
  startMs: number;
  endMs: number;
}

const byName = (attributes: Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));

/** Reads what a collector has kept in a file. */
export function readOtlpFile(path: string) {
  const exports = (including = ''): Export[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && line.includes(including))
      .map((line) => JSON.parse(line));
  return {
    /** Every span so far; of a large file, only those of exports that include a text. */
    spans: (including?: string): ReceivedSpan[] =>
      exports(including)
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          attributes: byName(span.attributes),
          startMs: Number(span.startTimeUnixNano) / 1e6,
          endMs: Number(span.endTimeUnixNano) / 1e6,
        })),
    /** Every point of a metric so far, oldest first: its value, or how many values a histogram has. */
    points: (name: string) =>
      exports()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .filter((metric) => metric.name === name)
        .flatMap(
          ({ gauge, sum, histogram, unit }) =>
            (gauge ?? sum ?? histogram)?.dataPoints.map((point) => ({
              unit,
              value: point.asDouble ?? Number(point.asInt ?? point.count),
              attributes: byName(point.attributes),
            })) ?? [],
        ),
  };
}

/**
 * Starts a collector that keeps what it gets by OTLP over HTTP, in JSON, one export a line.
 * @param file where; a temporary one by default
 */
export async function startOtlpSink(file?: string) {
  const folder = file ? null : mkdtempSync(join(tmpdir(), 'daylight-otlp-'));
  const path = file ?? join(folder ?? '', 'exports.jsonl');
  writeFileSync(path, '');
  const server = createServer(async (request, response) => {
    appendFileSync(path, `${await text(request)}\n`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...readOtlpFile(path),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path,
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      if (folder) rmSync(folder, { recursive: true });
    },
  };
}

export type OtlpSink = Awaited<ReturnType<typeof startOtlpSink>>;
