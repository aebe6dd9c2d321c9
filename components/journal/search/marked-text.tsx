import type { SearchResult } from '@/lib/journal/search/contract';

const STARTS_INSIDE = /^\p{Ll}/u;
const ENDS_SENTENCE = /[.?!…]["”’)]?$/;

type Marks = SearchResult['matches'][number]['marks'];

/** Merges marks with nothing but a space between them. */
function mergeMarks(marks: Marks, text: string): Marks {
  const merged: Marks = [];
  for (const [from, to] of marks) {
    const before = merged.at(-1);
    if (before && text.slice(before[1], from) === ' ') before[1] = to;
    else merged.push([from, to]);
  }
  return merged;
}

/** A snippet with the matching words highlighted, and an ellipsis where its sentence goes on. */
export function MarkedText({ text, marks }: SearchResult['matches'][number]) {
  let at = 0;
  const pieces = mergeMarks(marks, text).map(([from, to]) => {
    const before = text.slice(at, from);
    at = to;
    return (
      <span key={from}>
        {before}
        <mark className="-mx-0.5 rounded-[4px] bg-mark box-decoration-clone px-0.5 text-ink">
          {text.slice(from, to)}
        </mark>
      </span>
    );
  });
  return (
    <>
      {STARTS_INSIDE.test(text) && <span>… </span>}
      {pieces}
      <span>{`${text.slice(at)}${ENDS_SENTENCE.test(text) ? '' : ' …'}`}</span>
    </>
  );
}
