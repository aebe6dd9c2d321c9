import { DeleteAccount } from '@/components/settings/delete-account';
import { Section } from '@/components/settings/section';
import { describeContents } from '@/lib/deletions/describe-contents';
import { describeDeletion } from '@/lib/deletions/service';
import { findFactors } from '@/lib/security/step-up';
import type { User } from '@/lib/sessions/service';

export async function DataTab({ user }: { user: User }) {
  const [{ contents, subscription, deletion }, factors] = await Promise.all([
    describeDeletion(user.id),
    findFactors(user.id),
  ]);
  return (
    <Section
      title="Delete account"
      lead="Deletes your journal and everything else we have about you. You get seven days to change your mind."
    >
      <DeleteAccount
        contents={describeContents(contents)}
        subscription={subscription}
        erasesAt={deletion?.erasesAt ?? null}
        factors={factors}
      />
    </Section>
  );
}
