import type { LogoutQuestion } from '@/components/device/account-store';
import { Button, ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';

/** Asks before logging out. */
export function SignOutQuestion({
  question: { lead, confirm, stay, deleteAll },
  onConfirm,
}: {
  question: LogoutQuestion;
  /** Gets whether to delete what would otherwise stay, too. */
  onConfirm: (all: boolean) => void;
}) {
  return (
    <>
      <PageHeading lead={lead}>Do you want to log out?</PageHeading>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => onConfirm(false)}>{confirm}</Button>
        {stay && (
          <ButtonLink href={stay.href} variant="secondary">
            {stay.label}
          </ButtonLink>
        )}
        {deleteAll && (
          <Button variant="danger" onClick={() => onConfirm(true)}>
            {deleteAll}
          </Button>
        )}
      </div>
    </>
  );
}
