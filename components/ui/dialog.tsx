'use client';

import { Suspense, useState } from 'react';
import type { DialogProps } from './dialog-panel';
import { lazyComponent, loadCodePatiently } from './load-code';

/** Loads what dialogs need, for one that has to open without a network or after a release. */
export const loadDialog = () => loadCodePatiently(() => import('./dialog-panel'));

const DialogPanel = lazyComponent(loadDialog, 'DialogPanel');

/** A modal dialog with a title and a close button. Its code loads when it's first opened. */
export function Dialog(props: DialogProps) {
  const [everOpened, setEverOpened] = useState(false);
  if (props.open && !everOpened) setEverOpened(true);
  if (!everOpened) return null;
  return (
    <Suspense fallback={null}>
      <DialogPanel {...props} />
    </Suspense>
  );
}
