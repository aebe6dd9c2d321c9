import { loadSettings } from './load-settings';

process.env.JOBS = 'worker';
loadSettings('worker');
// Imported later, because modules read the settings.
const { requireEnv } = await import('@/lib/foundation/require-env');
const { NODE_ENV } = requireEnv();
if (NODE_ENV === 'production') (await import('@/lib/foundation/safe-console')).redactConsole();
const { runWorker } = await import('@/inngest/worker');
const { log } = await import('@/lib/foundation/log');
await runWorker().catch((error: unknown) => {
  log.fatal({ event: 'worker.failed', err: error }, 'the worker can’t run');
  process.exitCode = 1;
});
process.exit();
