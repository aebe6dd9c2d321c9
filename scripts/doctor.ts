import { loadSettings } from './load-settings';

Object.assign(process.env, { LOG_LEVEL: 'silent', NODE_ENV: process.env.NODE_ENV ?? 'production' });
loadSettings();
// Imported later, because modules read the settings.
const { examine } = await import('@/lib/health/doctor');
process.exit(await examine((line) => console.log(line)));
