import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Group } from '@/components/ui/group';
import { useMediaQuery } from '@/components/ui/use-media-query';
import { CurrentTime, PlayButton, SkipButton } from './control-buttons';
import { type MediaState, useProgress } from './use-media-state';

/** Where everything is in one column, on screens that are high enough to lose a strip of it. */
const STACKED = '(max-width: 979px) and (min-height: 521px)';

/** The height of the small player, in pixels. The same as in phone-player.css. */
const MINI_HEIGHT = 80;

/** The height of what stays above it, in pixels, unless `--player-top` says otherwise. */
const NAVIGATION_HEIGHT = 64;

/** The play button that can be seen in each of the sizes. */
const PLAY_BUTTON = { full: '.player-controls .player-toggle', mini: '.player-mini .player-toggle' };

/**
 * Returns whether the page is scrolled past the player, so that it shrinks and stays. Its place keeps its height, and a
 * control's focus moves to the other size's play button.
 * @param place the player's place on the page
 * @param box the player
 */
export function useMiniPlayer(
  place: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  enabled: boolean,
): boolean {
  const stacked = useMediaQuery(STACKED) && enabled;
  const [past, setPast] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || !stacked) return setPast(false);
    const above = getComputedStyle(element).getPropertyValue('--player-top');
    const edge = (above ? Number.parseInt(above, 10) : NAVIGATION_HEIGHT) + MINI_HEIGHT;
    const watcher = new IntersectionObserver(
      (seen) => {
        const last = seen.at(-1);
        if (!last) return;
        const isPast = !last.isIntersecting && last.boundingClientRect.bottom <= edge;
        if (isPast && element.dataset.mini === undefined) {
          const { offsetHeight, offsetWidth } = element;
          element.style.setProperty('--player-rest', `${offsetHeight - (offsetWidth * 9) / 16}px`);
        }
        setPast(isPast);
      },
      { rootMargin: `-${edge}px 0px 0px` },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [place, stacked]);

  const was = useRef(past);
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (was.current === past) return;
    was.current = past;
    if (!box.current?.contains(active) || active?.tagName === 'VIDEO') return;
    box.current
      .querySelector<HTMLElement>(past ? PLAY_BUTTON.mini : PLAY_BUTTON.full)
      ?.focus({ preventScroll: true });
  }, [past, box]);
  return past;
}

/** What's next to the small picture once the page is scrolled past the player. The picture is still the same video. */
export function MiniPlayer({ state, title }: { state: MediaState; title: string }) {
  const line = useRef<HTMLDivElement>(null);
  useProgress(line);
  return (
    <Group aria-label="Small player" className="player-mini">
      <div className="min-w-0 grow">
        <button
          type="button"
          title="Back to the player"
          dir="auto"
          onClick={() => window.scrollTo({ top: 0 })}
          className="block min-h-6 w-full truncate rounded-8 text-start text-15 font-semibold hover:underline"
        >
          {title}
        </button>
        <p className="truncate text-14 text-ink-2 tabular-nums">
          <CurrentTime /> of {formatDuration(state.duration)}
        </p>
      </div>
      <SkipButton direction={-1} />
      <PlayButton state={state} />
      <div ref={line} aria-hidden="true" className="player-mini-line" />
    </Group>
  );
}
