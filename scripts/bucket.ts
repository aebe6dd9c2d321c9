import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
loadSettings('bucket');
// Imported later, because modules read the settings.
const { requireEnv } = await import('@/lib/foundation/require-env');
requireEnv();
const { setUpBucket } = await import('@/lib/clients/bucket-setup');
process.exitCode = (await setUpBucket((line) => console.log(line))) ? 0 : 1;
