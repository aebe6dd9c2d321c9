import { expect, it } from 'vitest';
import { replaceSource } from './player-commands';

/** A video element, which loses what it's doing when it loads another file, as the HTML standard says. */
function playingVideo(state: { currentTime: number; paused: boolean; playbackRate: number }) {
  let address = '/main';
  return {
    ...state,
    get src() {
      return address;
    },
    set src(next: string) {
      address = next;
      Object.assign(this, { currentTime: 0, paused: true, playbackRate: 1 });
    },
    async play() {
      this.paused = false;
    },
  };
}

it.each([
  ['plays', { currentTime: 12.5, paused: false, playbackRate: 1.5 }],
  ['is paused', { currentTime: 3, paused: true, playbackRate: 1 }],
  ['hasn’t begun', { currentTime: 0, paused: true, playbackRate: 2 }],
])('goes on in another file where a video was that %s', (_, state) => {
  const video = playingVideo(state);
  replaceSource(video as unknown as HTMLVideoElement, '/small');
  expect(video).toMatchObject({ ...state, src: '/small' });
});
