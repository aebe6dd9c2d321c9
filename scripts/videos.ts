import { setTimeout as delay } from 'node:timers/promises';
import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
const args = loadSettings('videos');
const PAUSE_MS = 5000;
// Imported later, because modules read the settings.
const { runVideos } = await import('@/lib/operations/videos/commands');
process.exit(await runVideos(args, { print: (text) => console.log(text), pause: () => delay(PAUSE_MS) }));
