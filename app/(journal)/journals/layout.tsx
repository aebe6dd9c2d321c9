import type { ReactNode } from 'react';
import { SelectionProvider } from '@/components/journal/selection/selection';
import { SelectionBar } from '@/components/journal/selection/selection-bar';

/** Wraps the gallery's pages, so that a selection goes on from one to the next. */
export default function JournalsLayout({ children }: { children: ReactNode }) {
  return (
    <SelectionProvider>
      {children}
      <SelectionBar />
    </SelectionProvider>
  );
}
