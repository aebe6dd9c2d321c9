'use client';

import { type ReactNode, ViewTransition } from 'react';
import { useMediaQuery } from '@/components/ui/use-media-query';

/**
 * The picture of an entry, or its player: between pages, one turns into the other. Nothing else on the page moves, and
 * nothing at all if people prefer that. Browsers that can't do it show the other page at once.
 */
export function EntryPicture({ entryId, children }: { entryId: string; children: ReactNode }) {
  const moves = useMediaQuery('(prefers-reduced-motion: no-preference)');
  return (
    <ViewTransition name={`entry-${entryId}`} default="none" share={moves ? 'entry-picture' : 'none'}>
      {children}
    </ViewTransition>
  );
}
