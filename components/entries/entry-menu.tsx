'use client';

import { EllipsisVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';
import { DeleteDialog } from './delete-entry';

/** What can be done with an entry as a whole. */
export function EntryMenu({ id, title }: { id: string; title: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu label="More actions" icon={<EllipsisVertical className="size-5" aria-hidden="true" />}>
        <MenuItem danger onSelect={() => setAsking(true)}>
          <Trash2 className="size-4" aria-hidden="true" />
          Delete
        </MenuItem>
      </Menu>
      <DeleteDialog id={id} title={title} open={asking} onOpenChange={setAsking} />
    </>
  );
}
