import { Square } from 'lucide';
import { CountdownNumber, LevelMeter, LivePreview } from '@/components/capture/recorder/camera-picture';
import type { CaptionsState } from '@/components/capture/recorder/captions/captions-state';
import type { StudioState } from '@/components/capture/recorder/recorder-state';
import { RecordedTime } from '@/components/capture/recorder/recording-timer';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatBytes } from '@/lib/billing/plans/shared/format';

type Actions = Record<'start' | 'stop' | 'skip' | 'cancel' | 'showSample', () => void>;

/** Says how far the engine's download is, or why there are no words. */
function WordsStatus({ loading, problem }: { loading: CaptionsState['loading']; problem: string | null }) {
  if (problem || !loading) return <p role="status">{problem ?? 'Your words appear as you speak.'}</p>;
  const isHere = loading.loaded === loading.total && loading.total > 0;
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Download" value={loading.loaded} max={loading.total} />
      <p className="tabular-nums">
        {isHere
          ? 'Getting ready to write down your words…'
          : `Downloading… ${loading.loaded > 0 ? `${formatBytes(loading.loaded)} of ` : ''}${formatBytes(loading.total)}. You can start talking.`}
      </p>
    </div>
  );
}

function Captions({ captions: { settled, open } }: Pick<CaptionsState, 'captions'>) {
  if (!settled && !open) return null;
  return (
    <section
      aria-label="Words as you speak"
      // Read aloud, they would talk over the person.
      aria-live="off"
      className="pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 via-black/60 to-transparent px-4 pt-12 pb-4"
    >
      <p className="flex max-h-[2lh] flex-col justify-end overflow-hidden font-serif text-[20px] leading-snug text-white">
        <span>
          {settled} <span className="text-white/75">{open}</span>
        </span>
      </p>
    </section>
  );
}

function Buttons({ state: { camera }, actions }: { state: StudioState; actions: Actions }) {
  switch (camera.phase) {
    case 'counting':
      return (
        <>
          <Button variant="rec" size="lg" onClick={actions.skip}>
            Skip countdown
          </Button>
          <Button variant="secondary" size="lg" onClick={actions.cancel}>
            Cancel
          </Button>
        </>
      );
    case 'recording':
    case 'stopping':
      return (
        <Button variant="rec" size="lg" busy={camera.phase === 'stopping'} onClick={actions.stop}>
          {camera.phase === 'recording' && (
            <Icon of={Square} className="size-3.5 fill-current" aria-hidden="true" />
          )}
          <span>Stop Recording</span>
        </Button>
      );
    default:
      return (
        <>
          <Button size="lg" busy={camera.phase === 'asking'} onClick={actions.start}>
            Start Recording
          </Button>
          <Button variant="secondary" size="lg" onClick={actions.showSample}>
            Play a sample entry
          </Button>
        </>
      );
  }
}

/** Says why there's no picture. */
function NoPicture({ state: { camera, problem } }: { state: StudioState }) {
  return (
    <div className="grid place-items-center overflow-y-auto p-6 text-center text-15">
      {problem ? (
        <p role="alert">{problem}</p>
      ) : (
        <p role="status" className="text-ink-2">
          {camera.phase === 'asking' ? 'Allow your camera and microphone to start.' : 'Your camera is off.'}
        </p>
      )}
    </div>
  );
}

/** Shows the camera, the words, and how to stop. */
export function TryRecording({
  state,
  stream,
  captions,
  loading,
  problem,
  actions,
}: {
  state: StudioState;
  stream: MediaStream | null;
  captions: CaptionsState['captions'];
  loading: CaptionsState['loading'];
  /** Why there are no words. */
  problem: string | null;
  actions: Actions;
}) {
  const { camera } = state;
  const isRecording = camera.phase === 'recording' || camera.phase === 'stopping';
  return (
    <div className="flex grow flex-col gap-3.5">
      <div className="always-dark relative grid aspect-square shrink-0 overflow-hidden rounded-12 bg-surface sm:aspect-[16/10]">
        {stream ? <LivePreview stream={stream} /> : <NoPicture state={state} />}
        {camera.phase === 'counting' && <CountdownNumber left={camera.left} />}
        {isRecording && (
          <div className="absolute top-3 left-3">
            <RecordedTime camera={camera} />
          </div>
        )}
        {stream && (
          <div className="absolute top-3 right-3">
            <LevelMeter stream={stream} />
          </div>
        )}
        {isRecording && <Captions captions={captions} />}
      </div>
      <div className="flex grow flex-wrap content-start items-center gap-x-3 gap-y-2.5 px-1.5 pb-1 sm:content-center">
        {!state.problem && (
          // As high as a download with two lines of text, so that the buttons stay where they are.
          <div className="flex min-h-14 min-w-0 grow basis-52 flex-col justify-center text-14 text-ink-2">
            <WordsStatus loading={loading} problem={problem} />
          </div>
        )}
        <Buttons state={state} actions={actions} />
      </div>
    </div>
  );
}
