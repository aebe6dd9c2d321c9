import { type ReactNode, useEffect, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { type Camera, recordedTime } from './recorder-state';

/** Returns how many seconds of video the plan has left; null until known. */
function usePlanTimeLeft(): number | null {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    let over = false;
    call('GET /plan_details').then(
      ({ timeLimit, timeUse }) => over || setSeconds(timeLimit - timeUse),
      // Only for information.
      logRejected,
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

/** Returns the recorded time in seconds, which ticks while recording. */
function useRecordedSeconds(camera: Camera): number {
  const [now, setNow] = useState(() => performance.now());
  const running = camera.phase === 'recording' && !camera.paused;
  useEffect(() => {
    if (!running) return;
    setNow(performance.now());
    const ticking = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(ticking);
  }, [running]);
  return recordedTime(camera, now) / 1000;
}

/** Shows the recorded time, with a red dot while recording. */
export function RecordedTime({
  camera,
  children,
}: {
  camera: Camera;
  children?: (seconds: number) => ReactNode;
}) {
  const seconds = useRecordedSeconds(camera);
  const paused = camera.phase === 'recording' && camera.paused;
  const running = camera.phase === 'recording' && !camera.paused;
  return (
    <p className="flex items-center gap-2 rounded-pill bg-black/65 px-3.5 py-1.5 text-white tabular-nums">
      <span aria-hidden="true" className={`size-2.5 rounded-pill ${running ? 'bg-rec' : 'bg-white/50'}`} />
      <span role="timer" aria-label="Recorded time" className="text-17 font-medium">
        {formatDuration(seconds).padStart(5, '0')}
      </span>
      {paused && <span className="text-14">Paused</span>}
      {children?.(seconds)}
    </p>
  );
}

/** Shows the recorded time, and the plan's remaining time when it's low. */
export function RecordingTimer({ camera }: { camera: Camera }) {
  const planTime = usePlanTimeLeft();
  return (
    <RecordedTime camera={camera}>
      {(seconds) => {
        const left = planTime === null ? Number.POSITIVE_INFINITY : Math.ceil(planTime - seconds);
        return left < SHOW_BELOW && <PlanTimeLeft left={left} />;
      }}
    </RecordedTime>
  );
}
