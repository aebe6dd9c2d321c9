/** An event of Chromium's trace (Trace Event Format). Times are microseconds; `tdur` is CPU time of the thread. */
interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/**
 * The CPU milliseconds of each task that set a mark by `performance.mark(mark)`. For a mark that is set while a
 * frame is made, the task is the making of the whole frame: callbacks, style, layout, paint.
 */
export function threadMilliseconds(trace: { traceEvents: TraceEvent[] }, mark: string): number[] {
  const { traceEvents } = trace;
  const marks = traceEvents.filter((event) => event.name === mark && event.cat.includes('blink.user_timing'));
  const tasks = traceEvents.filter((event) => event.ph === 'X' && event.tdur !== undefined && event.dur);
  return marks.flatMap(({ pid, tid, ts }) => {
    const around = tasks.filter(
      (task) => task.pid === pid && task.tid === tid && task.ts <= ts && ts <= task.ts + (task.dur ?? 0),
    );
    const outermost = Math.max(...around.map((task) => task.tdur ?? 0));
    return around.length > 0 ? [outermost / 1000] : [];
  });
}
