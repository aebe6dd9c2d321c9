import { createRoot } from 'react-dom/client';
import { PageHeading } from '@/components/ui/page-heading';
import type { ArchivedJournal, ViewerMonth } from '@/lib/portability/exports/format';
import { App } from './app';
import { openJournal } from './journal';
import { receiveMonth } from './month-files';

declare global {
  interface Window {
    /** What the archive's data files call. */
    daylightArchive: {
      journal(journal: ArchivedJournal): void;
      month(month: string, words: ViewerMonth): void;
    };
  }
}

const root = createRoot(document.getElementById('viewer') ?? document.body);
let opened = false;

window.daylightArchive = {
  journal(journal) {
    root.render(<App journal={openJournal(journal)} />);
    opened = true;
  },
  month: receiveMonth,
};

// The journal's script comes after this one and has run by now, if it's there.
document.addEventListener('DOMContentLoaded', () => {
  if (opened) return;
  root.render(
    <main className="gutter mx-auto max-w-page py-11 font-sans">
      <PageHeading lead="The file viewer/data/journal.js is missing or damaged. Extract the whole archive into one folder, then open index.html again.">
        We couldn’t open this journal
      </PageHeading>
    </main>,
  );
});
