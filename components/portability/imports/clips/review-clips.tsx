import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { estimateUploadSeconds } from '@/components/capture/uploads/transfer/transfer-rate';
import { countEntries } from '@/components/journal/entries/count-entries';
import { fromYears } from '@/components/portability/imports/describe-import';
import { discardImport, importClips } from '@/components/portability/imports/import-session';
import { readReviewEdits, storeReviewEdits } from '@/components/portability/imports/import-store';
import { EntryList } from '@/components/portability/imports/import-summary';
import { type ImportPlan, planImport } from '@/components/portability/imports/plan-import';
import { countClips, describeLivePhotos } from '@/components/portability/imports/review/describe-row';
import { isSetAside, planReview } from '@/components/portability/imports/review/review-filters';
import { ReviewList } from '@/components/portability/imports/review/review-list';
import type { RowEdit } from '@/components/portability/imports/review/review-row';
import {
  editsOf,
  type ReviewState,
  reviewReducer,
  startReview,
} from '@/components/portability/imports/review/review-state';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { roughDuration } from '@/components/ui/time-left';
import { call } from '@/lib/api/shared/client';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { parseUsDate, toIso } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import { type ClipReview, toChosenClips, toReviewRows } from './clip-review';

interface ReviewProps {
  account: string;
  limits: FileLimits;
  name: string;
  review: ClipReview;
  /** Why the import couldn't start. */
  problem: string | null;
}

/** Returns the account's tags, to suggest them. */
function useTags(): readonly Tag[] {
  const [tags, setTags] = useState<readonly Tag[]>([]);
  useEffect(() => {
    // Without them, names can still be typed.
    call('GET /category').then(({ categories }) => setTags(categories), logRejected);
  }, []);
  return tags;
}

/** The last states of reviews, for a person who comes back from another page. */
const lastStates = new WeakMap<ClipReview, ReviewState>();

/**
 * Keeps what the user has changed, and stores it as it changes, one write after the other, in case the tab closes. What's
 * stored may be another tab's.
 */
function useStoredEdits(account: string, review: ClipReview, state: ReviewState): void {
  useEffect(() => void lastStates.set(review, state), [review, state]);
  const latest = useRef(state);
  const isStoring = useRef(false);
  const { rows } = state;
  useEffect(() => {
    latest.current = { ...latest.current, rows };
    if (isStoring.current) return;
    isStoring.current = true;
    void (async () => {
      for (let stored: ReviewState['rows'] | null = null; stored !== latest.current.rows; ) {
        stored = latest.current.rows;
        await storeReviewEdits(account, editsOf(latest.current));
      }
      isStoring.current = false;
    })();
  }, [account, rows]);
}

/** Returns what would be imported of rows: with their dates as `YYYY-MM-DD`, how many can't be yet, and what fits. */
function planClips(rows: ReviewState['rows'], { usage }: ClipReview, limits: FileLimits) {
  const { ready, invalid } = planReview(rows);
  const dated = ready.map((row) => {
    const day = parseUsDate(row.date);
    return { ...row, date: day ? toIso(day) : '' };
  });
  const items = dated.map((row) => ({ ...row, problem: null, send: async () => {} }));
  return { dated, invalid, planned: planImport(items, [], { usage, limits }) };
}

/** Says what was chosen, and what of it isn't in the table. */
function ReviewIntro({
  name,
  review,
  rows,
}: Pick<ReviewProps, 'name' | 'review'> & Pick<ReviewState, 'rows'>) {
  const { clips, refused, withoutVideo } = review;
  const listed = rows.filter((row) => !isSetAside(row));
  const livePhotos = rows.length - listed.length;
  const ids = new Set(listed.map(({ id }) => id));
  const unnamed = clips.filter(({ id, isTitleTelling }) => !isTitleTelling && ids.has(id)).length;
  const years = listed.flatMap(({ date }) => (date ? [date.slice(-4)] : [])).sort();
  const bytes = listed.reduce((sum, row) => sum + row.bytes, 0);
  return (
    <div className="flex flex-col gap-1 text-15">
      <p className="font-semibold tabular-nums">
        {countClips(listed.length)}
        {fromYears(years[0], years.at(-1))}, {formatBytes(bytes)}
      </p>
      <p className="text-14 break-all text-ink-2">{name}</p>
      {unnamed > 0 && (
        <p className="text-14 text-ink-2">
          {countClips(unnamed)} without a name {unnamed === 1 ? 'gets its' : 'get their'} first words as a
          title, unless you enter one.
        </p>
      )}
      {livePhotos > 0 && <p className="text-14 text-ink-2">{describeLivePhotos(livePhotos)}</p>}
      {withoutVideo > 0 && (
        <p className="text-14 text-ink-2">
          {countEntries(withoutVideo)} without a video can’t be imported. Daylight is a video journal.
        </p>
      )}
      {refused.length > 0 && (
        <EntryList
          label={`${refused.length.toLocaleString('en-US')} can’t be read`}
          entries={refused.map(({ path, reason }) => ({ id: path, title: path, date: '', reason }))}
        />
      )}
    </div>
  );
}

/** Says how much would be imported, how long it takes, and what's in the way. */
function ImportFacts({ count, invalid, planned }: { count: number; invalid: number; planned: ImportPlan }) {
  const seconds = estimateUploadSeconds(planned.wanted.reduce((sum, { bytes }) => sum + bytes, 0));
  return (
    <>
      <p className="tabular-nums">
        {[
          countClips(count),
          formatBytes(planned.bytes),
          seconds !== null && count > 0 && `${roughDuration(seconds)} at the speed of your last upload`,
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {planned.unfit.length > 0 && (
        <p className="text-warn">{countClips(planned.unfit.length)} won’t fit in your plan.</p>
      )}
      {invalid > 0 && (
        <p className="text-danger">
          {countClips(invalid)} {invalid === 1 ? 'needs' : 'need'} a date or a title first.
        </p>
      )}
    </>
  );
}

function Review({
  account,
  limits,
  name,
  review,
  problem,
  edits,
}: ReviewProps & { edits: ReadonlyMap<string, RowEdit> }) {
  const [state, dispatch] = useReducer(reviewReducer, null, () => startReview(toReviewRows(review), edits));
  const clips = useMemo(() => new Map(review.clips.map((clip) => [clip.id, clip])), [review]);
  const [isStarting, setIsStarting] = useState(false);
  const tags = useTags();
  useStoredEdits(account, review, state);

  const { dated, invalid, planned } = useMemo(
    () => planClips(state.rows, review, limits),
    [state.rows, review, limits],
  );

  async function start() {
    setIsStarting(true);
    await importClips(account, limits, toChosenClips(review, dated));
    setIsStarting(false);
  }

  return (
    <div className="flex flex-col gap-5">
      <ReviewIntro name={name} review={review} rows={state.rows} />
      <ReviewList state={state} dispatch={dispatch} knownTags={tags} clips={clips} />
      {/* The bar for a selection stays in the same place. */}
      <BottomBar label="Import" isSticky={state.selected.size === 0}>
        <div className="flex min-w-0 grow basis-52 flex-col py-1 text-14 text-ink-2">
          <ImportFacts count={dated.length} invalid={invalid} planned={planned} />
          {problem && (
            <p role="alert" className="text-danger">
              {problem}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="secondary" onClick={() => void discardImport(account)}>
            Cancel
          </Button>
          <Button
            size="sm"
            busy={isStarting}
            disabled={dated.length === 0 || invalid > 0}
            onClick={() => void start()}
          >
            Import {countClips(dated.length)}
          </Button>
        </div>
      </BottomBar>
    </div>
  );
}

/** Shows the clips that were chosen, to check their dates, titles and tags before anything is sent. */
export function ReviewClips(props: ReviewProps) {
  const { account, review } = props;
  const [edits, setEdits] = useState(() => {
    const last = lastStates.get(review);
    return last ? editsOf(last) : null;
  });
  useEffect(() => {
    if (!edits) void readReviewEdits(account).then(setEdits);
  }, [account, edits]);
  if (!edits) return <p role="status">Loading...</p>;
  return <Review {...props} edits={edits} />;
}
