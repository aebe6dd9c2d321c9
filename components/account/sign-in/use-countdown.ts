'use client';

import { useEffect, useState } from 'react';

/**
 * Counts seconds down to 0.
 * @param initial the seconds to start with
 * @returns the seconds left, and a function that starts again
 */
export function useCountdown(initial: number): [secondsLeft: number, start: (seconds: number) => void] {
  const [secondsLeft, setSecondsLeft] = useState(initial);
  const [endsAt, setEndsAt] = useState(() => Date.now() + initial * 1000);
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return;
    // By the clock, because browsers slow down the timers of hidden tabs.
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isRunning, endsAt]);
  function start(seconds: number) {
    setSecondsLeft(seconds);
    setEndsAt(Date.now() + seconds * 1000);
  }
  return [secondsLeft, start];
}
