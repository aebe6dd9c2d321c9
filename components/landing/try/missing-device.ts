import { useEffect, useState } from 'react';

/** Returns why nothing can be recorded here, or null if something can. Doesn't ask for permission. */
async function findProblem(): Promise<string | null> {
  if (!navigator.mediaDevices || !('MediaRecorder' in window)) return 'This browser can’t record video.';
  const kinds = new Set((await navigator.mediaDevices.enumerateDevices()).map(({ kind }) => kind));
  const missing = [!kinds.has('videoinput') && 'camera', !kinds.has('audioinput') && 'microphone'].filter(
    Boolean,
  );
  return missing.length > 0 ? `We can’t find a ${missing.join(' or a ')} on this device.` : null;
}

/** Returns why nothing can be recorded here, and follows devices as they come and go; null if something can, or so far. */
export function useMissingDevice(): string | null {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const over = new AbortController();
    // A browser that doesn't list its devices may still have some.
    const check = () =>
      void findProblem().then(
        (found) => over.signal.aborted || setProblem(found),
        () => {},
      );
    navigator.mediaDevices?.addEventListener('devicechange', check, { signal: over.signal });
    check();
    return () => over.abort();
  }, []);
  return problem;
}
