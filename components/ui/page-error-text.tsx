import type { PageErrorDescription } from './page-error';

/** What an error page says, without a way on. */
export function PageErrorText({ heading, detail, text }: PageErrorDescription) {
  return (
    <>
      <h1 className="heading heading-page">{heading}</h1>
      {detail && (
        <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
          {detail}
        </p>
      )}
      <p className="text-ink-2">{text}</p>
    </>
  );
}
