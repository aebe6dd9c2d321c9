import type { Metadata } from 'next';
import { DataHeading } from '@/components/account/settings/data-heading';
import { DeleteAccount } from '@/components/account/settings/delete-account';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { ExportForm } from '@/components/portability/exports/export-form';
import { ExportList } from '@/components/portability/exports/export-list';
import { ButtonLink } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { describeContents } from '@/lib/account/deletion/contents';
import { describeDeletion } from '@/lib/account/deletion/service';
import { findFactors } from '@/lib/account/security/step-up';
import { requireUser } from '@/lib/account/sessions/guards';
import { selectJournalDays } from '@/lib/journal/entries/months';
import { exportableYears } from '@/lib/portability/exports/scope';
import { listExports } from '@/lib/portability/exports/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.data };

async function ExportSection({ userId }: { userId: string }) {
  const [years, exports] = await Promise.all([exportableYears(userId), listExports(userId)]);
  return (
    <Section
      title="Download your journal"
      lead="One ZIP file with your original videos, every transcript and correction, your notes and tags, and a page that plays and searches it all without internet."
    >
      {years.length === 0 ? (
        <p className="text-15 text-ink-2">There’s nothing to download yet.</p>
      ) : (
        <ExportForm years={years} />
      )}
      <ExportList exports={exports} />
    </Section>
  );
}

export default async function DataPage() {
  const user = await requireUser();
  const [{ contents, subscription, deletion }, factors, { words }] = await Promise.all([
    describeDeletion(user.id),
    findFactors(user.id),
    selectJournalDays(user.id),
  ]);
  return (
    <>
      <DataHeading videos={contents.entries - contents.entriesInTrash} words={words} notes={contents.notes} />
      <ExportSection userId={user.id} />
      <Section
        title="Import"
        lead="Bring in videos from folders, Google Photos, Day One, or a Daylight archive. You can undo an import for 30 days."
      >
        <div>
          <ButtonLink href="/upload/import" variant="secondary">
            Import videos
          </ButtonLink>
        </div>
      </Section>
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
    </>
  );
}
