import { ImportProgress, ImportResult } from './import-progress';
import type { ImportState } from './import-state';
import { ImportSummary } from './import-summary';

/** Shows what an archive holds, or how far its import is, or how it ended. */
// A default export, as `lazy` asks for one.
// biome-ignore lint/style/noDefaultExport: see above
export default function ImportDetails({
  state,
  onPause,
  onContinue,
  onRetryNow,
}: {
  state: ImportState;
  onPause: () => void;
  onContinue: () => void;
  /** Called to not wait any longer for what it waits for. */
  onRetryNow: () => void;
}) {
  const { phase, plan, problem } = state;
  if (phase === 'running' || phase === 'paused')
    return <ImportProgress state={state} onPause={onPause} onContinue={onContinue} onRetryNow={onRetryNow} />;
  if (phase === 'done') return <ImportResult state={state} onRetry={onContinue} />;
  if (!plan) return null;
  return (
    <>
      <ImportSummary plan={plan} />
      {problem && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
