'use client';

import { useState } from 'react';
import type { DialogProps } from './dialog-panel';
import { lazyPart, loadCodePatiently } from './load-code';

/** Loads what dialogs need, for one that has to open without a network or after a release. */
export const loadDialog = () => loadCodePatiently(() => import('./dialog-panel'));

const DialogPanel = lazyPart(loadDialog, 'DialogPanel');

/** A modal dialog with a title and a close button. Its code loads when it's first opened. */
export function Dialog(props: DialogProps) {
  const [everOpened, setEverOpened] = useState(false);
  if (props.open && !everOpened) setEverOpened(true);
  return everOpened && <DialogPanel {...props} />;
}
