import type { ReactNode } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { formatBytes } from '@/lib/billing/plans/shared/format';

/** What an account recorded on this device and hasn't uploaded. */
export interface Unsent {
  count: number;
  bytes: number;
}

/** What to ask before logging out: whether it was meant, or what it would cancel or leave behind. */
export type Question =
  | { about: 'foreign' | 'uploads' | 'import' }
  | ({ about: 'recordings' } & Unsent)
  | { about: 'edits'; count: number };

function Prompt({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <>
      <PageHeading lead={lead}>Do you want to log out?</PageHeading>
      <div className="flex flex-wrap gap-3">{children}</div>
    </>
  );
}

function describeUnsent({ count, bytes }: Unsent): string {
  const size = formatBytes(bytes);
  return count === 1
    ? `A recording on this device isn’t uploaded yet (${size}). You can leave it here until you log back in. Nobody else can see it.`
    : `${count} recordings on this device aren’t uploaded yet (${size}). You can leave them here until you log back in. Nobody else can see them.`;
}

/** Asks before logging out. `onDelete` also deletes recordings that aren't uploaded. */
export function SignOutQuestion({
  question,
  onConfirm,
  onDelete,
}: {
  question: Question;
  onConfirm: () => void;
  onDelete: () => void;
}) {
  switch (question.about) {
    case 'foreign':
      return (
        <Prompt lead="A link on another site may have sent you here.">
          <Button onClick={onConfirm}>Log out</Button>
        </Prompt>
      );
    case 'uploads':
      return (
        <Prompt lead="An upload isn’t finished, and logging out cancels it. Recordings stay on this device until you log back in.">
          <Button onClick={onConfirm}>Cancel upload and log out</Button>
          <ButtonLink href="/upload" variant="secondary">
            Keep uploading
          </ButtonLink>
        </Prompt>
      );
    case 'recordings':
      return (
        <Prompt lead={describeUnsent(question)}>
          <Button onClick={onConfirm}>Log out and leave {question.count === 1 ? 'it' : 'them'} here</Button>
          <ButtonLink href="/upload" variant="secondary">
            Stay and upload
          </ButtonLink>
          <Button variant="danger" onClick={onDelete}>
            Delete {question.count === 1 ? 'it' : 'them'} and log out
          </Button>
        </Prompt>
      );
    case 'edits':
      return (
        <Prompt
          lead={
            question.count === 1
              ? 'A change that you made offline hasn’t been sent yet, and logging out deletes it.'
              : `${question.count} changes that you made offline haven’t been sent yet, and logging out deletes them.`
          }
        >
          <Button onClick={onConfirm}>Delete {question.count === 1 ? 'it' : 'them'} and log out</Button>
          <ButtonLink href="/" variant="secondary">
            Stay logged in
          </ButtonLink>
        </Prompt>
      );
    case 'import':
      return (
        <Prompt lead="An import isn’t finished, and logging out stops it. Entries it has already imported stay in your journal.">
          <Button onClick={onConfirm}>Stop importing and log out</Button>
          <ButtonLink href="/upload/import" variant="secondary">
            Keep importing
          </ButtonLink>
        </Prompt>
      );
  }
}
