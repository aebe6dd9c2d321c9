import { shareClips } from '@/test/media/encode';
import { startOAuthProviders } from './oauth-providers';
import { newDataDir, removeDataDir, startRunningApp } from './running-app';

/** Starts the one copy that all specs share, and puts its address into E2E_APP. Returns a function that stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  shareClips();
  const dataDir = newDataDir();
  const providers = await startOAuthProviders();
  try {
    const { child, stop, ...app } = await startRunningApp(dataDir, providers.env);
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
