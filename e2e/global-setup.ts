import { join } from 'node:path';
import { shareClips } from '@/test/media/encode';
import { startOtlpSink } from '@/test/otlp-sink';
import { assertNothingLeaked, listPrivateTexts } from './leak-search';
import { startOAuthProviders } from './oauth-providers';
import { newDataDir, removeDataDir, startRunningApp } from './running-app';

/** How often metrics are exported, in milliseconds: short runs must have some to search. */
const METRIC_INTERVAL_MS = '5000';

/**
 * Starts the one copy that all specs share, with telemetry on, and puts its address into E2E_APP. Returns a function that
 * stops it, and then searches everything it has logged and exported for what's private. `E2E_PORT` sets its port, for a
 * bucket whose CORS rule has to name it.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  shareClips();
  const dataDir = newDataDir();
  const providers = await startOAuthProviders();
  const sink = await startOtlpSink(join(dataDir, 'exports.jsonl'));
  const stopParts = async () => {
    await providers.stop();
    await sink.stop();
    removeDataDir(dataDir);
  };
  try {
    const { E2E_PORT: port } = process.env;
    const settings = {
      ...providers.env,
      ...(port ? { PORT: port } : {}),
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_METRIC_EXPORT_INTERVAL: METRIC_INTERVAL_MS,
    };
    const { child, stop, ...app } = await startRunningApp(dataDir, settings);
    process.env.E2E_APP = JSON.stringify(app);
    return async () => {
      try {
        const privateTexts = await listPrivateTexts(app);
        await stop();
        await assertNothingLeaked(app, sink.path, privateTexts);
      } finally {
        await stopParts();
      }
    };
  } catch (error) {
    await stopParts();
    throw error;
  }
}
