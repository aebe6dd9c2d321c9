import { Studio } from '@/components/capture/recorder/studio';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { promptFor } from '@/lib/journal/shared/prompts';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';

/** Returns the number of the last question from its cookie, which the server reads otherwise. */
const promptCookie = () => /(?:^|; )daylight\.prompt=([^;]+)/.exec(document.cookie)?.[1];

/** The studio without a network: what's recorded is saved on this device, and uploaded later. */
export function OfflineStudio({
  account,
  limits,
  speech,
}: {
  account: string;
  limits: FileLimits;
  speech: BrowserSpeech;
}) {
  const asked = new URLSearchParams(window.location.search).get('question') ?? undefined;
  return (
    <div className="always-dark dark-page grow bg-sunken">
      <div className="gutter mx-auto flex max-w-[1360px] flex-col py-4 sm:py-6">
        <h1 className="sr-only">Record or upload a video</h1>
        {/* Last on phones, where it would push the controls below the screen. */}
        <p className="pb-4 text-center text-15 text-balance text-ink-2 max-sm:order-last max-sm:pt-4">
          You’re offline. What you record is saved on this device and uploads once you’re back.
        </p>
        <Studio
          userId={account}
          limits={limits}
          speech={speech}
          question={promptFor(promptCookie(), asked)}
          adoptedId={null}
        />
      </div>
    </div>
  );
}
