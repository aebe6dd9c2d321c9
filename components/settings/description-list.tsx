import type { ReactNode } from 'react';

/** Names and values that can only be read. */
export function DescriptionList({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="flex flex-col">
      {facts.map(({ name, value }) => (
        <div
          key={name}
          className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-line py-3 last:border-b-0"
        >
          <dt className="text-15 text-ink-2">{name}</dt>
          <dd className="text-15 font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
