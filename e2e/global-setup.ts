import { shareClips } from '@/test/media/encode';
import { startOAuthProviders } from './oauth-providers';
import { newDataDir, removeDataDir, startRunningApp } from './running-app';

/**
 * Starts the one copy that all specs share, and puts its address into E2E_APP. Returns a function that stops it.
 * `E2E_PORT` sets its port, for a bucket whose CORS rule has to name it.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  shareClips();
  const dataDir = newDataDir();
  const providers = await startOAuthProviders();
  try {
    const { E2E_PORT: port } = process.env;
    const settings = { ...providers.env, ...(port ? { PORT: port } : {}) };
    const { child, stop, ...app } = await startRunningApp(dataDir, settings);
    process.env.E2E_APP = JSON.stringify(app);
    return async () => {
      await stop();
      await providers.stop();
      removeDataDir(dataDir);
    };
  } catch (error) {
    await providers.stop();
    removeDataDir(dataDir);
    throw error;
  }
}
