'use client';

import { lazy, type ReactNode, Suspense, useState } from 'react';

const DialogPanel = lazy(() => import('./dialog-panel'));

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** `wide` holds three cards side by side. */
  width?: 'narrow' | 'wide';
}

/** A modal dialog with a title and a close button. Its code is loaded when it is opened for the first time. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <DialogPanel {...props} />
    </Suspense>
  );
}
