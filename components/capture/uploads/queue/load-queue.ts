import { loadCodePatiently } from '@/components/ui/load-code';

/**
 * Loads what uploads, which pages don't need to be shown. The studio does it early, since the network may be gone by the
 * time a recording needs it.
 */
export const loadQueue = () => loadCodePatiently(() => import('./queue'));
