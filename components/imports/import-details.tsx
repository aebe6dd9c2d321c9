import { type ImportControls, ImportProgress, ImportResult } from './import-progress';
import type { ImportState } from './import-state';
import { ImportSummary } from './import-summary';

/** Shows what an archive holds, or how far its import is, or how it ended. */
// A default export, as `lazy` asks for one.
// biome-ignore lint/style/noDefaultExport: see above
export default function ImportDetails({ state, ...controls }: { state: ImportState } & ImportControls) {
  const { phase, plan, problem } = state;
  if (phase === 'running' || phase === 'paused') return <ImportProgress state={state} {...controls} />;
  if (phase === 'done') return <ImportResult state={state} onRetry={controls.onContinue} />;
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
