'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/select-field';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { ExportableYear } from '@/lib/portability/exports/scope';

const sum = (years: readonly ExportableYear[], of: 'entries' | 'bytes') =>
  years.reduce((total, year) => total + year[of], 0);

const describe = (years: readonly ExportableYear[]) =>
  `${countEntries(sum(years, 'entries'))}, about ${formatBytes(sum(years, 'bytes'))}`;

/** Asks what to export, and starts preparing it. @param years latest first, at least one */
export function ExportForm({ years }: { years: readonly ExportableYear[] }) {
  const router = useRouter();
  const id = useId();
  const newest = years[0]?.year ?? 0;
  const oldest = years.at(-1)?.year ?? newest;
  const [isRange, setIsRange] = useState(false);
  const [from, setFrom] = useState(oldest);
  const [to, setTo] = useState(newest);
  const [notify, setNotify] = useState(true);
  const [busy, setBusy] = useState(false);
  const chosen = isRange ? years.filter(({ year }) => year >= from && year <= to) : years;

  async function start() {
    setBusy(true);
    try {
      const range = isRange ? { fromYear: from, toYear: to } : {};
      await call('POST /exports', { body: { ...range, notify } });
      router.refresh();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  const choice = (range: boolean, label: string, about: string) => (
    <label className="flex min-h-11 items-start gap-3 py-2">
      <input
        type="radio"
        name={id}
        className="mt-1 size-4 accent-accent"
        checked={isRange === range}
        onChange={() => setIsRange(range)}
      />
      <span className="text-15">
        <span className="font-semibold">{label}</span>
        <span className="block text-14 text-ink-3 tabular-nums">{about}</span>
      </span>
    </label>
  );

  return (
    <div className="flex flex-col gap-4">
      {oldest === newest ? (
        <p className="text-15 tabular-nums">{describe(years)}</p>
      ) : (
        <fieldset className="flex flex-col gap-1">
          <legend className="sr-only">What to download</legend>
          {choice(false, 'Everything', describe(years))}
          {choice(true, 'Some years', isRange ? describe(chosen) : `From ${oldest} to ${newest}`)}
        </fieldset>
      )}
      {isRange && (
        <div className="grid grid-cols-2 gap-3 sm:max-w-80">
          {(['From', 'To'] as const).map((label) => (
            <SelectField
              key={label}
              label={label}
              value={label === 'From' ? from : to}
              onChange={({ currentTarget }) => {
                const year = Number(currentTarget.value);
                setFrom(label === 'From' ? year : Math.min(from, year));
                setTo(label === 'To' ? year : Math.max(to, year));
              }}
            >
              {years.map(({ year }) => (
                <option key={year} value={year}>
                  {year}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      )}
      <label className="flex min-h-11 items-center gap-3 text-15">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={notify}
          onChange={(event) => setNotify(event.currentTarget.checked)}
        />
        Email me when it’s ready
      </label>
      <div>
        <Button busy={busy} disabled={chosen.length === 0} onClick={() => void start()}>
          Prepare download
        </Button>
      </div>
    </div>
  );
}
