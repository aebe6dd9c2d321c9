import { startOAuthProviders } from './oauth-providers';
import { newDataDir, removeDataDir, startRunningApp } from './running-app';

/** Starts the one copy that all specs share, and tells them by E2E_APP where it is. Returns what ends it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
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
