import { Button } from '@/components/ui/button';

/** The account's recent searches in this browser. */
export function RecentList({
  searches,
  onChoose,
  onClear,
}: {
  searches: string[];
  onChoose: (query: string) => void;
  onClear: () => void;
}) {
  if (searches.length === 0) return null;
  return (
    <section aria-label="Recent searches" className="flex flex-wrap items-center gap-2">
      <h2 className="mr-1 text-14 font-semibold text-ink-2">Recent</h2>
      {searches.map((query) => (
        <Button
          key={query}
          variant="secondary"
          size="sm"
          className="max-w-full"
          onClick={() => onChoose(query)}
        >
          <span className="truncate">{query}</span>
        </Button>
      ))}
      <Button variant="ghost" size="sm" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
