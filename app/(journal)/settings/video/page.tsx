import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { Section } from '@/components/ui/section';
import { videoSettings } from '@/lib/account/profile/service';
import { requireUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = { title: SETTINGS_PAGES.video };

export default async function VideoSettingsPage() {
  await requireUser();
  const { transcriptionLanguage, compressionType } = videoSettings();
  const settings = { 'Transcription language': transcriptionLanguage, 'Compression type': compressionType };
  return (
    <Section title="Video Settings" lead="How your videos are transcribed and prepared for playback.">
      <dl className="flex flex-col">
        {Object.entries(settings).map(([name, value]) => (
          <div
            key={name}
            className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-line py-3 last:border-b-0"
          >
            <dt className="text-15 text-ink-2">{name}</dt>
            <dd className="text-15 font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
