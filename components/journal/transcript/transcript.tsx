'use client';

import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
} from 'react';
import { useMomentNotes } from '@/components/journal/player/moment-notes';
import { usePlayback } from '@/components/journal/player/playback';
import { Button } from '@/components/ui/button';
import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from '@/lib/journal/transcripts/shared/paragraphs';
import { currentWord, wordStarts } from './current-word';
import { type Find, FindBar } from './find-bar';
import './transcript.css';
import { keyOf } from '@/components/ui/key-of';
import { createWordHighlighter, PlainText, TranscriptWords } from './transcript-words';
import { createWordScroller, useFollowing } from './word-scroller';

const SCROLL_KEYS = new Set(['PageUp', 'PageDown']);

/**
 * Reports the time on screen, in seconds: on every frame where the browser supports it, and on `timeupdate` and
 * `seeked`, which also cover videos that render no frames.
 * @returns a function that stops it
 */
function followPlayback(video: HTMLVideoElement, onTime: (seconds: number) => void): () => void {
  const now = () => onTime(video.currentTime);
  video.addEventListener('timeupdate', now);
  video.addEventListener('seeked', now);
  let frame = 0;
  if ('requestVideoFrameCallback' in video) {
    frame = video.requestVideoFrameCallback(function shown(_, { mediaTime }) {
      onTime(mediaTime);
      frame = video.requestVideoFrameCallback(shown);
    });
  }
  if (video.currentTime > 0) now();
  return () => {
    video.removeEventListener('timeupdate', now);
    video.removeEventListener('seeked', now);
    if (frame) video.cancelVideoFrameCallback(frame);
  };
}

/**
 * Shows a video's words. Clicking one plays from there; the current word is highlighted, and the panel, or in one column
 * the page, scrolls with it until the person scrolls. Once it has played, words still to come are lighter. It's a single tab stop: arrows move between words, Home and End go to the ends, Enter and
 * Space play, n and N go to the next and previous match.
 */
export function Transcript({
  words,
  language,
  find,
  markUnsure = false,
}: {
  words: readonly Word[];
  /** BCP 47, or null while unknown. */
  language: string | null;
  /** What's searched for, where the words can be searched. */
  find?: Find;
  /** Whether to mark words with low confidence. */
  markUnsure?: boolean;
}) {
  const { matches, shown }: Partial<Find> = find ?? {};
  const { video, playFrom } = usePlayback();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const marks = useRef<ReturnType<typeof createWordHighlighter>>(null);
  const now = useRef(-1);
  const cursor = useRef(-1);
  const scroller = useRef<ReturnType<typeof createWordScroller>>(null);
  const following = useFollowing(scroller);
  const notes = useMomentNotes();
  const parts = useMemo(() => paragraphs(words), [words]);
  const starts = useMemo(() => wordStarts(words), [words]);

  const onWord = useEffectEvent((index: number) => {
    const word = marks.current?.spanAt(index);
    if (word) following.follow(word);
  });

  useEffect(() => {
    const player = video.current;
    if (!panel.current || !player) return;
    const box = panel.current;
    const spans = createWordHighlighter(box);
    marks.current = spans;
    scroller.current = createWordScroller(box);
    const stop = followPlayback(player, (seconds) => {
      const index = currentWord(starts, seconds);
      if (index === now.current) return;
      now.current = index;
      // Until it plays, all words are equal.
      if (!player.paused) box.dataset.begun = '';
      spans.now(index);
      onWord(index);
    });
    return () => {
      stop();
      spans.now(-1);
      now.current = -1;
    };
  }, [starts, video]);

  const onShown = useEffectEvent((first: number) => {
    show(first);
    following.stop();
  });

  useEffect(() => {
    // New words mean new spans, hence the dependency on `starts`.
    if (starts.length === 0 || !marks.current) return;
    marks.current.find(matches ?? [], shown);
    if (shown) onShown(shown.first);
  }, [matches, shown, starts]);

  function show(index: number) {
    const word = marks.current?.spanAt(index);
    if (word) scroller.current?.show(word);
  }

  /** A page tells by its scroll position. */
  function scrollPanel() {
    if (!scroller.current?.scrollsPage()) following.stop();
  }

  function jumpToNow() {
    following.start();
    show(now.current);
    panel.current?.focus({ preventScroll: true });
  }

  function playWord(index: number) {
    const start = starts[index];
    if (start === undefined) return;
    following.start();
    playFrom(start);
  }

  function click(event: MouseEvent) {
    const target = event.target as Element;
    const first = target.closest<HTMLElement>('[data-first]')?.dataset.first;
    // Selecting text also ends in a click.
    if (first === undefined && !window.getSelection()?.isCollapsed) return;
    playWord(first === undefined ? (marks.current?.indexOf(target) ?? -1) : Number(first));
  }

  function moveTo(index: number) {
    if (!marks.current || !panel.current) return;
    cursor.current = Math.min(Math.max(index, 0), marks.current.count - 1);
    marks.current.cursor(cursor.current, `${id}-word`);
    panel.current.setAttribute('aria-activedescendant', `${id}-word`);
    show(cursor.current);
    following.stop();
  }

  function key(event: KeyboardEvent) {
    if (event.target !== panel.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = keyOf(event);
    if (SCROLL_KEYS.has(pressed)) return scrollPanel();
    const here = cursor.current >= 0 ? cursor.current : Math.max(now.current, 0);
    const paragraph = parts.findLastIndex((part) => part.first <= here);
    const firstOf = (index: number) => parts[index]?.first ?? here;
    const to = {
      ArrowRight: cursor.current < 0 ? here : here + 1,
      ArrowLeft: here - 1,
      ArrowDown: firstOf(paragraph + 1),
      ArrowUp: firstOf(firstOf(paragraph) === here ? paragraph - 1 : paragraph),
      Home: 0,
      End: words.length - 1,
    }[pressed];
    if (to !== undefined) moveTo(to);
    else if (pressed === 'Enter' || pressed === ' ') playWord(here);
    else if (pressed === 'n') find?.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  return (
    <div className="relative flex min-h-0 flex-col">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of words, not of form fields */}
      <div
        ref={panel}
        role="group"
        aria-label="Transcript words"
        data-hide-unsure={markUnsure ? undefined : ''}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, and its words are chosen by arrow keys
        tabIndex={0}
        onClick={click}
        onKeyDown={key}
        onWheel={scrollPanel}
        onTouchMove={scrollPanel}
        onPointerDown={(event) => {
          // A press on the scroll bar, which is outside the content.
          if (event.nativeEvent.offsetX > event.currentTarget.clientWidth) scrollPanel();
        }}
        className="transcript-panel min-h-0 overflow-y-auto overscroll-contain rounded-b-18 px-3.5 py-4 [overflow-anchor:none] focus-visible:-outline-offset-3"
      >
        <TranscriptWords paragraphs={parts} language={language} notes={notes} />
      </div>
      {following.away && (
        <Button size="sm" onClick={jumpToNow} className="transcript-jump shadow-lg">
          Jump to now
        </Button>
      )}
    </div>
  );
}

/** Shows words to play from and to search, or as plain text. */
export function TranscriptBody({
  plain,
  ...shown
}: ComponentProps<typeof Transcript> & { find: Find; plain: boolean }) {
  if (plain) return <PlainText words={shown.words} language={shown.language} />;
  return (
    <>
      {shown.find.query !== null && <FindBar find={shown.find} />}
      <Transcript {...shown} />
    </>
  );
}
