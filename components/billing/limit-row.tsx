import { Info } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';

/** One of a plan's limits: how much of it is used, and what that means. */
export function LimitRow({
  name,
  use,
  limit,
  shown,
  exact,
  isClose,
  children,
}: {
  name: string;
  use: number;
  limit: number;
  shown: string;
  /** The same in another form, next to it. */
  exact?: string;
  /** Whether it's the limit that comes first, and close. */
  isClose: boolean;
  children: ReactNode;
}) {
  const tone = isClose || use >= limit ? 'bg-warn' : 'bg-accent';
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5 border-t border-line py-5 lg:grid-cols-[200px_minmax(0,236px)_minmax(0,1fr)] lg:items-center lg:gap-y-0 lg:py-6">
      <dt className="text-15 text-ink-2 max-lg:self-baseline">{name}</dt>
      <dd className="flex flex-col text-right max-lg:self-baseline lg:row-start-2 lg:text-left">
        <span className="text-17 font-semibold tabular-nums">{shown}</span>
        {exact && <span className="text-14 text-ink-3 tabular-nums">{exact}</span>}
      </dd>
      <dd className="col-span-2 lg:col-span-1 lg:row-span-2 lg:row-start-1">
        {/* biome-ignore lint/a11y/useSemanticElements: a meter element looks different in every browser */}
        <div
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(use, limit)}
          aria-valuetext={shown}
          className="h-2 overflow-hidden rounded-pill bg-line"
        >
          <div
            className={`h-full rounded-pill ${tone}`}
            style={{ width: `${Math.min(100, (use / limit) * 100)}%` }}
          />
        </div>
      </dd>
      <dd
        className={`col-span-2 flex gap-2 text-15 text-pretty lg:col-span-1 lg:row-span-2 lg:row-start-1 ${isClose ? 'font-medium text-warn' : 'text-ink-2'}`}
      >
        {isClose && <Icon of={Info} aria-hidden="true" width={18} height={18} className="mt-0.5 shrink-0" />}
        {children}
      </dd>
    </div>
  );
}
