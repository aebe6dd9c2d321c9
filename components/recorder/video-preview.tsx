import { Video } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatDuration } from '@/components/entries/format-duration';
import { call } from '@/lib/contract/client';
import { planDetails } from '@/lib/plans/routes';
import { isRearCamera } from './devices';
import { FilePlayer } from './file-player';
import { type Camera, recordedTime, type StudioState } from './recorder-state';

/** Shows the countdown over the preview. */
function CountdownNumber({ left }: { left: number }) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center bg-black/35">
      <p
        key={left}
        aria-hidden="true"
        className="font-serif text-[120px] leading-none font-medium text-white tabular-nums text-shadow-lg motion-safe:transition-[opacity,scale] motion-safe:duration-200 motion-safe:ease-out motion-safe:starting:scale-125 motion-safe:starting:opacity-0 sm:text-[176px]"
      >
        {left}
      </p>
      <p role="status" className="sr-only">
        Recording starts in {left}
      </p>
    </div>
  );
}

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
/** The height of a bar in silence, as a fraction. */
const FLOOR = 0.16;

/** Shows the microphone's level, one bar per frequency band; drawn outside React on every frame. */
function LevelMeter({ stream }: { stream: MediaStream }) {
  const meter = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stream.getAudioTracks().length === 0) return;
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 64, smoothingTimeConstant: 0.75 });
    context.createMediaStreamSource(stream).connect(analyser);
    const levels = new Uint8Array(analyser.frequencyBinCount);
    let frame = requestAnimationFrame(function draw() {
      analyser.getByteFrequencyData(levels);
      for (const [index, bar] of [...(meter.current?.children ?? [])].entries()) {
        const level = Math.max(FLOOR, (levels[index] ?? 0) / 255);
        (bar as HTMLElement).style.transform = `scaleY(${level})`;
      }
      frame = requestAnimationFrame(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      void context.close();
    };
  }, [stream]);
  return (
    <div
      ref={meter}
      aria-hidden="true"
      className="flex h-9 items-end gap-0.5 rounded-pill bg-black/65 px-3.5 py-2"
    >
      {BARS.map((bar) => (
        <span
          key={bar}
          className="h-full w-1.5 origin-bottom rounded-pill bg-accent"
          style={{ transform: `scaleY(${FLOOR})` }}
        />
      ))}
    </div>
  );
}

/** Returns how many seconds of video the plan has left; null until known. */
function usePlanTimeLeft(): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    let over = false;
    call(planDetails).then(
      ({ timeLimit, timeUse }) => over || setSeconds(timeLimit - timeUse),
      // Only for information.
      () => {},
    );
    return () => {
      over = true;
    };
  }, []);
  return seconds;
}

/** Show the plan's remaining time below this many seconds, and warn below this many. */
const SHOW_BELOW = 600;
const WARN_BELOW = 30;

function PlanTimeLeft({ left }: { left: number }) {
  const short = left <= WARN_BELOW;
  return (
    <>
      <span className={`text-14 ${short ? 'text-warn' : 'text-white/85'}`}>
        {left > 0 ? `${formatDuration(left)} left` : 'No time left on your plan'}
      </span>
      <span role="status" className="sr-only">
        {short &&
          (left > 0
            ? 'You have less than 30 seconds left on your plan.'
            : 'You have no time left on your plan. We’ll still save the whole recording.')}
      </span>
    </>
  );
}

/** Shows the recorded time, with a red dot while recording, and the plan's remaining time when it's low. */
function RecordingTimer({ camera }: { camera: Camera }) {
  const [now, setNow] = useState(() => performance.now());
  const planTime = usePlanTimeLeft();
  const running = camera.phase === 'recording' && !camera.paused;
  useEffect(() => {
    if (!running) return;
    setNow(performance.now());
    const ticking = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(ticking);
  }, [running]);
  const paused = camera.phase === 'recording' && camera.paused;
  const seconds = recordedTime(camera, now) / 1000;
  const left = planTime === null ? Number.POSITIVE_INFINITY : Math.ceil(planTime - seconds);
  return (
    <p className="flex items-center gap-2 rounded-pill bg-black/65 px-3.5 py-1.5 text-white tabular-nums">
      <span aria-hidden="true" className={`size-2.5 rounded-pill ${running ? 'bg-rec' : 'bg-white/50'}`} />
      <span role="timer" aria-label="Recorded time" className="text-17 font-medium">
        {formatDuration(seconds).padStart(5, '0')}
      </span>
      {paused && <span className="text-14">Paused</span>}
      {left < SHOW_BELOW && <PlanTimeLeft left={left} />}
    </p>
  );
}

function LivePreview({ stream }: { stream: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element) element.srcObject = stream;
    return () => {
      if (element) element.srcObject = null;
    };
  }, [stream]);
  return (
    <video
      ref={video}
      muted
      autoPlay
      playsInline
      aria-label="Live preview"
      className={`size-full object-cover ${isRearCamera(stream) ? '' : '-scale-x-100'}`}
    />
  );
}

/** Shows the camera while recording, then the recorded or chosen video. */
export function VideoPreview({
  state: { camera, file },
  stream,
  prompt,
  captions,
}: {
  state: StudioState;
  stream: MediaStream | null;
  prompt: string;
  /** What lies over the lower part of the picture while recording. */
  captions: ReactNode;
}) {
  const [upright, setUpright] = useState(false);
  const isRunning = camera.phase === 'recording' || camera.phase === 'stopping';
  const recorded = camera.phase === 'recorded' ? camera.recording.file : null;
  const finished = file ?? recorded;
  let picture: ReactNode;
  if (finished)
    picture = (
      <FilePlayer
        file={finished}
        label={file ? 'Chosen video' : 'Recorded video'}
        className="size-full object-contain"
        onShape={setUpright}
      />
    );
  else if (stream) picture = <LivePreview stream={stream} />;
  else
    picture = (
      <div className="grid size-full place-items-center text-ink-3">
        <Video className="size-16" strokeWidth={1.25} aria-hidden="true" />
      </div>
    );
  const shape = finished && !upright ? 'aspect-video' : 'aspect-[3/4] max-h-[70dvh] w-full sm:aspect-video';
  return (
    <div className={`relative overflow-hidden rounded-18 bg-surface ring-1 ring-line ${shape}`}>
      {picture}
      {camera.phase === 'counting' && <CountdownNumber left={camera.left} />}
      {!finished && prompt && (
        <p className="pointer-events-none absolute inset-x-0 top-0 bg-linear-to-b from-black/75 to-transparent px-6 pt-6 pb-16 text-center font-serif text-[22px] leading-tight font-medium text-balance text-white sm:text-[30px]">
          {prompt}
        </p>
      )}
      {isRunning && captions}
      {stream && !finished && (
        <div className="absolute inset-x-4 bottom-4 flex items-end justify-end gap-3 sm:inset-x-5 sm:bottom-5">
          {isRunning && (
            <div className="mr-auto">
              <RecordingTimer camera={camera} />
            </div>
          )}
          <LevelMeter stream={stream} />
        </div>
      )}
    </div>
  );
}
