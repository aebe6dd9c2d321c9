import { DescriptionList } from '@/components/settings/description-list';
import { Section } from '@/components/settings/section';
import { videoSettings } from '@/lib/settings/service';

export function VideoTab() {
  const { transcriptionLanguage, compressionType } = videoSettings();
  return (
    <Section title="Video Settings" lead="How your videos are transcribed and prepared for playing.">
      <DescriptionList
        facts={[
          { name: 'Transcription language', value: transcriptionLanguage },
          { name: 'Compression type', value: compressionType },
        ]}
      />
    </Section>
  );
}
