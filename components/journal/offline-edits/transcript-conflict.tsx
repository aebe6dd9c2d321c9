import { Fragment, useId, useMemo, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Button } from '@/components/ui/button';
import type { Word } from '@/lib/journal/transcripts/contract';
import { matchTokens } from '@/lib/journal/transcripts/shared/match-tokens';
import {
  type CorrectionConflict,
  mergeCorrections,
  resolveConflicts,
} from '@/lib/journal/transcripts/shared/merge-corrections';
import type { CorrectedTranscript } from './edit';

type Choice = 'mine' | 'theirs';

/** How many words to show on each side of a place. */
const CONTEXT_WORDS = 8;

const join = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');

/** One version of a place: words that differ from what both sides corrected are marked. */
function MarkedWords({ base, words }: { base: readonly Word[]; words: readonly Word[] }) {
  const texts = words.map(({ word }) => word);
  const matched = new Set(
    matchTokens(
      base.map(({ word }) => word),
      texts,
    ),
  );
  if (texts.length === 0) return <span className="text-ink-3">(no words)</span>;
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words never move
    <Fragment key={index}>
      {index > 0 && ' '}
      {matched.has(index) ? text : <mark className="rounded-[4px] bg-mark px-0.5 text-ink">{text}</mark>}
    </Fragment>
  ));
}

function Place({
  legend,
  conflict: { at, base, ...sides },
  words,
  choice,
  onChoose,
}: {
  legend: string;
  conflict: CorrectionConflict;
  /** All merged words. */
  words: readonly Word[];
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}) {
  const name = useId();
  const before = join(words.slice(Math.max(at - CONTEXT_WORDS, 0), at));
  const after = join(words.slice(at, at + CONTEXT_WORDS));
  const options = [
    ['mine', 'On this device', 'Keep mine'],
    ['theirs', 'In your journal', 'Keep the journal’s'],
  ] as const;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-14 font-semibold">{legend}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {options.map(([side, where, label]) => (
          <label
            key={side}
            className="flex min-h-11 cursor-pointer flex-col gap-2 rounded-12 border border-line p-4 has-[:checked]:border-accent has-[:checked]:bg-accent-soft has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus"
          >
            <span className="text-13 font-semibold text-ink-3">{where}</span>
            <span className="font-serif text-16 leading-7 break-words text-ink-2">
              {before && `${at > CONTEXT_WORDS ? '… ' : ''}${before} `}
              <span className="text-ink">
                <MarkedWords base={base} words={sides[side]} />
              </span>
              {after && ` ${after}${at + CONTEXT_WORDS < words.length ? ' …' : ''}`}
            </span>
            <span className="mt-auto flex items-center gap-2.5 text-14 font-semibold">
              <input
                type="radio"
                name={name}
                checked={choice === side}
                onChange={() => onChoose(side)}
                className="size-5 accent-accent"
              />
              {label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Returns when a place is in the video, in seconds. */
const startOf = ({ base, mine, theirs }: CorrectionConflict): number =>
  (base[0] ?? mine[0] ?? theirs[0])?.start_time ?? 0;

/** Asks for each place that was corrected differently which words to keep. Nothing is chosen at first. */
export function TranscriptConflict({
  edit,
  theirs,
  busy,
  onKeep,
}: {
  edit: CorrectedTranscript;
  /** The words that the journal has. */
  theirs: readonly Word[];
  busy: boolean;
  onKeep: (words: readonly Word[]) => void;
}) {
  const merged = useMemo(() => mergeCorrections(edit.base, edit.words, theirs), [edit, theirs]);
  const { conflicts, words } = merged;
  const [chosen, setChosen] = useState<readonly (Choice | undefined)[]>([]);
  const [isMissing, setMissing] = useState(false);
  const choices = conflicts.flatMap((_, index) => chosen[index] ?? []);
  const choose = (place: number, choice: Choice) =>
    setChosen(conflicts.map((_, index) => (index === place ? choice : chosen[index])));

  function save() {
    setMissing(choices.length < conflicts.length);
    if (choices.length === conflicts.length) onKeep(resolveConflicts(merged, choices));
  }

  return (
    <div className="flex flex-col gap-5">
      {conflicts.map((conflict, index) => (
        <Place
          // biome-ignore lint/suspicious/noArrayIndexKey: places never move
          key={index}
          legend={`${index + 1} of ${conflicts.length}, at ${formatDuration(startOf(conflict))}`}
          conflict={conflict}
          words={words}
          choice={chosen[index]}
          onChoose={(choice) => choose(index, choice)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" busy={busy} onClick={save}>
          Save transcript
        </Button>
        {conflicts.length > 1 && (
          <>
            <Button size="sm" variant="secondary" onClick={() => setChosen(conflicts.map(() => 'mine'))}>
              Keep all mine
            </Button>
            <Button size="sm" variant="secondary" onClick={() => setChosen(conflicts.map(() => 'theirs'))}>
              Keep all from the journal
            </Button>
          </>
        )}
        <p role="alert" className="text-14 text-danger">
          {isMissing && choices.length < conflicts.length && 'Choose a version for each place first.'}
        </p>
      </div>
    </div>
  );
}
