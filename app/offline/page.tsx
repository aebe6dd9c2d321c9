import type { Metadata } from 'next';
import { OfflineShell } from '@/components/shell/offline/shell/offline-shell';
import { browserSpeech } from '@/lib/video/speech/browser-build';
import { uploadLimits } from '@/lib/video/uploads/service';

export const metadata: Metadata = { title: 'Offline' };

/**
 * The page that the service worker shows at any address while there's no network. It's cached, so it's the same for
 * everybody: what belongs to an account comes from the browser's own storage.
 */
export default async function OfflinePage() {
  return <OfflineShell limits={await uploadLimits()} speech={browserSpeech()} />;
}
