import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
loadSettings();
// Imported later, because modules read the settings.
const { examine } = await import('@/lib/health/doctor');
process.exit(await examine((line) => console.log(line)));
