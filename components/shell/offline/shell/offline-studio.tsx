import { Studio } from '@/components/capture/recorder/studio';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { localToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { PROMPT_COOKIE, promptInAddress, promptOfDay } from '@/lib/journal/shared/prompts';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';

/** Whether the studio asks nothing, by the cookie that the server reads otherwise. */
const isAskingOff = () => document.cookie.split('; ').includes(`${PROMPT_COOKIE}=off`);

/** Returns the question in the address or the day's; empty for none. What has been answered, only the server knows. */
function questionToAsk(): string {
  if (isAskingOff()) return '';
  const asked = new URLSearchParams(window.location.search).get('question');
  return promptInAddress(asked) ?? promptOfDay(toIso(localToday()));
}

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
          question={questionToAsk()}
          adoptedId={null}
        />
      </div>
    </div>
  );
}
