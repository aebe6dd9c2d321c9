'use client';

import type { ReactNode } from 'react';
import { lazyPart } from '@/components/ui/load-code';
import { type LinkIcons, MemberLinks } from './member-links';

const SearchBox = lazyPart(() => import('./search-box'), 'SearchBox');

/**
 * What the bar has for members. The search is in the page's HTML, and works from there. The rest of its code loads after
 * the page, so that visitors' pages don't load it at all.
 */
export function MemberControls({ icons, searchIcon }: { icons: LinkIcons; searchIcon: ReactNode }) {
  return (
    <>
      <MemberLinks icons={icons} />
      <SearchBox icon={searchIcon} />
    </>
  );
}
