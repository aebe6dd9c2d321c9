import { useEffect, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import type { Elements } from '@/components/ui/elements';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { type Camera, recordedTime } from './recorder-state';

/** Show the plan's remaining time below this many seconds, and warn below this many. */
const SHOW_BELOW = 600;
const WARN_BELOW = 30;

/** Shows the recorded time, with a red dot while recording. */
export function RecordedTime({
  camera,
  children,
}: {
  camera: Camera;
  children?: (seconds: number) => Elements;
}) {
  const [now, setNow] = useState(() => performance.now());
  const paused = camera.phase === 'recording' && camera.paused;
  const running = camera.phase === 'recording' && !camera.paused;
  useEffect(() => {
    if (!running) return;
    setNow(performance.now());
    const ticking = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(ticking);
  }, [running]);
  const seconds = recordedTime(camera, now) / 1000;
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
  /** How many seconds of video the plan has left; null until known. */
  const [planTime, setPlanTime] = useState<number | null>(null);
  useEffect(() => {
    // Only for information.
    call('GET /plan_details').then(({ timeLimit, timeUse }) => setPlanTime(timeLimit - timeUse), logRejected);
  }, []);
  return (
    <RecordedTime camera={camera}>
      {(seconds) => {
        const left = planTime === null ? Number.POSITIVE_INFINITY : Math.ceil(planTime - seconds);
        const isShort = left <= WARN_BELOW;
        return (
          left < SHOW_BELOW && (
            <>
              <span className={`text-14 ${isShort ? 'text-warn' : 'text-white/85'}`}>
                {left > 0 ? `${formatDuration(left)} left` : 'No time left on your plan'}
              </span>
              <span role="status" className="sr-only">
                {isShort &&
                  (left > 0
                    ? 'You have less than 30 seconds left on your plan.'
                    : 'You have no time left on your plan. We’ll still save the whole recording.')}
              </span>
            </>
          )
        );
      }}
    </RecordedTime>
  );
}
