import { Suspense } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { lazyComponent } from '@/components/ui/load-code';

const ShortcutsHelp = lazyComponent(() => import('./shortcuts-help'), 'ShortcutsHelp');

/** Lists the player's keyboard shortcuts. */
export function ShortcutsDialog(state: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog {...state} title="Keyboard shortcuts">
      <Suspense fallback={null}>
        <ShortcutsHelp />
      </Suspense>
    </Dialog>
  );
}
