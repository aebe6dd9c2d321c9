import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { DeletionChoice } from '@/components/account/settings/keep-account';
import { safeNextPath } from '@/components/account/sign-in/safe-next-path';
import { LocalTime } from '@/components/ui/local-time';
import { PageHeading } from '@/components/ui/page-heading';
import { getCurrentUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = { title: 'Keep your account?' };

export default async function AccountDeletionPage({ searchParams }: PageProps<'/account_deletion'>) {
  const next = safeNextPath((await searchParams).next);
  const user = await getCurrentUser();
  if (!user) redirect('/login');
  if (!user.erasesAt) redirect(next);
  return (
    <>
      <PageHeading
        lead={
          <>
            Your account will be deleted on <LocalTime iso={user.erasesAt.toISOString()} />. Until then,
            everything is still there, and you can download it.
          </>
        }
      >
        Keep your account?
      </PageHeading>
      <DeletionChoice next={next} />
    </>
  );
}
