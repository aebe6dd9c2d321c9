import { useEffect, useState } from 'react';
import { formatDuration } from '@/components/entries/format-duration';
import { type Camera, recordedTime } from './recorder-state';
import { usePlanTimeLeft } from './use-plan-time-left';

/** Below so many seconds the plan's time is shown, and below so many it turns amber. */
const SHOW_BELOW = 600;
const WARN_BELOW = 30;

function PlanTimeLeft({ left }: { left: number }) {
  const short = left <= WARN_BELOW;
  return (
    <>
      <span className={`text-14 ${short ? 'text-warn' : 'text-white/85'}`}>
        {left > 0 ? `${formatDuration(left)} left` : 'Plan’s time used up'}
      </span>
      <span role="status" className="sr-only">
        {short &&
          (left > 0
            ? 'Less than 30 seconds of your plan’s time are left.'
            : 'Your plan’s time is used up. This video is still kept whole.')}
      </span>
    </>
  );
}

/** How long the recording is, with a red dot while it grows, and what the plan has left when that is not much. */
export function RecordingTimer({ camera }: { camera: Camera }) {
  const [now, setNow] = useState(() => performance.now());
  const planTime = usePlanTimeLeft(true);
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
