import { loadCodePatiently } from '@/components/ui/load-code';

/** Loads what reads a chosen video, which the page doesn't need to be shown. */
export const loadChosenFile = () => loadCodePatiently(() => import('./chosen-file'));
