import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { v4 as uuidv4 } from 'uuid';
import { completeUpload, PART_BYTES, presignedUrl, signParts } from '@/lib/video/uploads/contract';
import { projectRoot } from '@/local/up/data-dir';
import { waitUntil } from '@/local/up/processes';
import { startOtlpSink } from '@/test/otlp-sink';
import { type Account, seedAccount } from './accounts';
import { newDataDir, removeDataDir, startRunningApp } from './running-app';
import { slowClip } from './slow-clip';
import { drawWaterfall } from './waterfall';

/** The last steps of the jobs that follow an upload. */
const LAST_STEPS = ['finish-video check-remux', 'process-video tidy'];

/** Uploads a video in parts, as the browser does. Returns the entry's id. */
async function upload({ api }: Account, file: Buffer): Promise<string> {
  const details = { title: 'A day at the harbor', journal_date: '2026-03-01', size: file.length };
  const { metadata } = await api.call(presignedUrl, {
    query: { client_id: uuidv4(), file_name: 'harbor.webm', content_type: 'video/webm', ...details },
  });
  const params = { id: metadata.entryId };
  for (let at = 0; at < file.length; at += PART_BYTES) {
    const bytes = file.subarray(at, at + PART_BYTES);
    const md5 = createHash('md5').update(bytes).digest('base64');
    const part = { number: at / PART_BYTES + 1, size: bytes.length, md5 };
    const { parts } = await api.call(signParts, { params, body: { parts: [part] } });
    const headers = { 'content-md5': md5 };
    const stored = await fetch(parts[0]?.url ?? '', { method: 'PUT', body: new Uint8Array(bytes), headers });
    if (!stored.ok) throw new Error(`Storage answered ${stored.status}.`);
  }
  await api.call(completeUpload, { params });
  return metadata.entryId;
}

const dataDir = newDataDir();
const sink = await startOtlpSink();
const app = await startRunningApp(dataDir, {
  OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
  OTEL_BSP_SCHEDULE_DELAY: '500',
});
try {
  const sql = postgres(app.addresses.database, { max: 1, onnotice: () => undefined });
  const account = await seedAccount(app.url, sql).finally(() => sql.end());
  const file = await readFile(await slowClip());
  // The first one also compiles and caches.
  await upload(account, file);
  const entryId = await upload(account, file);
  const traceId = entryId.replaceAll('-', '');
  const spans = () => sink.spans().filter((span) => span.traceId === traceId);
  const isComplete = async () => {
    const names = spans().map(({ name }) => name);
    return LAST_STEPS.every((name) => names.includes(name));
  };
  if (!(await waitUntil(isComplete, 200_000, 500))) throw new Error('The jobs didn’t end in time.');
  const path = join(projectRoot, 'docs', 'pictures', 'upload-trace.svg');
  await writeFile(path, drawWaterfall(spans()));
  console.log(`${spans().length} spans, drawn into ${path}`);
} finally {
  await app.stop();
  await sink.stop();
  removeDataDir(dataDir);
}
