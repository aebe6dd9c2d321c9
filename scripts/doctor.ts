import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
loadSettings();
// Imported later, because modules read the settings.
const { runDoctor } = await import('@/lib/health/doctor');
const args = process.argv.slice(process.argv[2] === 'doctor' ? 3 : 2);
process.exit(await runDoctor(args, (line) => console.log(line)));
