import { escapeHtml } from '../loopback-server';
import type { Sql } from './store';

/** One run as the page and `/runs.json` show it. Times are ISO dates. */
export type RunSummary = {
  id: string;
  function: string;
  event: string;
  status: string;
  attempts: number;
  steps: number;
  error: string | null;
  created: string;
  started: string | null;
  ended: string | null;
};

const MAX_RUNS_SHOWN = 200;

function toIsoString(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The latest runs, newest first. What events and steps carry is not shown. */
export async function listRuns(sql: Sql): Promise<RunSummary[]> {
  const rows = await sql<
    {
      id: string;
      fn_id: string;
      event_name: string;
      status: string;
      attempts: number;
      steps: number;
      error: string | null;
      created_at: number;
      started_at: number | null;
      ended_at: number | null;
    }[]
  >`
    SELECT id, fn_id, event_name, status, attempts, error, created_at, started_at,
      ended_at, (SELECT count(*)::int FROM steps WHERE run_id = runs.id) AS steps
    FROM runs ORDER BY created_at DESC, id DESC LIMIT ${MAX_RUNS_SHOWN}`;
  return rows.map((row) => {
    const error = row.error ? (JSON.parse(row.error) as { name: string; message: string }) : null;
    return {
      id: row.id,
      function: row.fn_id,
      event: row.event_name,
      status: row.status,
      attempts: row.attempts,
      steps: row.steps,
      error: error && `${error.name}: ${error.message}`,
      created: toIsoString(row.created_at) ?? '',
      started: toIsoString(row.started_at),
      ended: toIsoString(row.ended_at),
    };
  });
}

/** The page at `/`: a table of runs that renews itself. */
export function renderRuns(runs: RunSummary[], problem: string | undefined): string {
  const columns = [
    'created',
    'function',
    'event',
    'status',
    'attempts',
    'steps',
    'error',
    'started',
    'ended',
  ] as const;
  const cell = (run: RunSummary, column: (typeof columns)[number]) =>
    `<td class="${column} ${column === 'status' ? escapeHtml(run.status) : ''}">${escapeHtml(String(run[column] ?? ''))}</td>`;
  const rows = runs.map((run) => `<tr>${columns.map((column) => cell(run, column)).join('')}</tr>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width">
<title>Jobs</title>
<style>
  body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid #8884; vertical-align: top; }
  .error { max-width: 30rem; overflow-wrap: anywhere; white-space: pre-wrap; }
  .failed, .problem { color: #d33; } .completed { color: #2a2; } .cancelled { color: #888; }
</style>
<h1>Jobs</h1>
${problem ? `<p class="problem">${escapeHtml(problem)}</p>` : ''}
<p>The latest ${MAX_RUNS_SHOWN} runs, newest first. This page renews itself every five seconds.</p>
<table>
<tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr>
${rows.join('\n')}
</table>
</html>
`;
}
