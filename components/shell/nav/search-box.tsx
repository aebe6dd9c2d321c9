import { usePathname, useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { keyOf } from '@/components/ui/key-of';
import { lazyPart } from '@/components/ui/load-code';
import { useHydrated } from '@/components/ui/use-hydrated';
import { useKeyLabels } from '@/components/ui/use-key-labels';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';
import styles from './search-box.module.css';

const Palette = lazyPart(() => import('@/components/shell/palette/palette'), 'Palette');

const usesCommandKey = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette with ⌘K or, on other systems than Apple's, Ctrl+K. Its code loads when it's first opened. */
function usePalette() {
  const [open, setOpen] = useState<boolean>();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { altKey, shiftKey, ctrlKey, metaKey } = event;
    const isHeld = usesCommandKey() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
    if (keyOf(event) !== 'k' || !isHeld || altKey || shiftKey) return;
    if (!open && document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    setOpen(!open);
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return [open, setOpen] as const;
}

/**
 * The navigation's search box, on every page but the search page. `/` focuses it, and `R` opens the recorder. On phones
 * it's an icon until it has the focus.
 */
export function SearchBox({ icon }: { icon: ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const path = usePathname();
  const [open, setOpen] = usePalette();
  const isHydrated = useHydrated();
  const labelKeys = useKeyLabels();

  useKeyboardShortcuts((key) => {
    if (key === '/' && input.current) return () => input.current?.focus();
    if (key === 'r' && path !== '/upload') return () => router.push('/upload');
  });

  // Not next/form, whose prefetching would add a kilobyte to every page, even for visitors.
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    router.push(`/search?${new URLSearchParams({ query: input.current?.value ?? '' })}`);
  }

  return (
    <>
      {path !== '/search' && (
        <search className={styles.box}>
          <form action="/search" onSubmit={submit}>
            <input
              ref={input}
              type="search"
              name="query"
              dir="auto"
              aria-label="Search your entries"
              aria-keyshortcuts="/"
              placeholder="Search your entries"
              autoComplete="off"
              enterKeyHint="search"
              className="control rounded-pill! text-15"
            />
            <span className={styles.icon}>{icon}</span>
            <span className={styles.keys} aria-hidden="true">
              <kbd>/</kbd>
              {isHydrated && <kbd>{labelKeys(usesCommandKey() ? '⌘K' : 'Ctrl K')}</kbd>}
            </span>
          </form>
        </search>
      )}
      {open !== undefined && <Palette open={open} onOpenChange={setOpen} />}
    </>
  );
}
