import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
const args = loadSettings('doctor');
// Imported later, because modules read the settings.
const { runDoctor } = await import('@/lib/operations/health/doctor');
process.exit(await runDoctor(args, (line) => console.log(line)));
