import { startProviders } from './providers';
import { forget, newDataDir, startUp } from './running-app';

/** Starts the one copy that all specs share, and tells them by E2E_APP where it is. Returns what ends it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const dataDir = newDataDir();
  const providers = await startProviders();
  try {
    const { child, stop, ...app } = await startUp(dataDir, providers.env);
    process.env.E2E_APP = JSON.stringify(app);
    return async () => {
      await stop();
      await providers.stop();
      forget(dataDir);
    };
  } catch (error) {
    await providers.stop();
    forget(dataDir);
    throw error;
  }
}
