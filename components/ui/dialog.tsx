'use client';

import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent, loadCodePatiently } from './load-code';

/** Loads what dialogs need, for one that has to open without a network or after a release. */
export const loadDialog = () => loadCodePatiently(() => import('./dialog-panel'));

const DialogPanel = lazyComponent(loadDialog, 'DialogPanel');

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** `wide` fits three cards side by side. */
  width?: 'narrow' | 'wide';
}

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
