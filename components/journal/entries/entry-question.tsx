'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import { EditableQuestion } from './editable-question';

/** The question that a stored entry answers. Changes are saved at once; removing it can be undone. */
export function EntryQuestion({ entryId, question }: { entryId: string; question: string | null }) {
  const router = useRouter();
  /** What was saved in place of a question, shown until the page has it too. */
  const [sent, setSent] = useState<{ before: string | null; after: string | null } | null>(null);
  const shown = sent && sent.before === question ? sent.after : question;

  async function save(changed: string | null): Promise<void> {
    const before = shown;
    setSent({ before: question, after: changed });
    try {
      await call('POST /entry/:id', { params: { id: entryId }, body: { question: changed } });
      router.refresh();
    } catch (error) {
      setSent(sent);
      return showError(error);
    }
    if (changed === null)
      toast.success('Question removed.', { label: 'Undo', onPress: () => void save(before) });
  }

  return shown === null ? null : (
    <EditableQuestion question={shown} onChange={(changed) => void save(changed)} />
  );
}
