import { describe, expect, it } from 'vitest';
import { createStallMeter } from './stall-meter';

/** Returns a meter of a video that has started to play. */
function playing() {
  const meter = createStallMeter();
  meter.wait(0);
  meter.play();
  return meter;
}

describe('a stall meter', () => {
  it('finds one long stall too slow, while it lasts', () => {
    const meter = playing();
    meter.wait(10_000);
    expect(meter.isTooSlow(12_900)).toBe(false);
    expect(meter.isTooSlow(13_000)).toBe(true);
    meter.play();
    expect(meter.isTooSlow(20_000)).toBe(false);
  });

  it('finds two short stalls within 30 seconds too slow, but not over a longer time', () => {
    const meter = playing();
    meter.wait(10_000);
    meter.play();
    meter.wait(41_000);
    meter.play();
    expect(meter.isTooSlow(41_200)).toBe(false);
    meter.wait(60_000);
    expect(meter.isTooSlow(60_000)).toBe(true);
  });

  it('counts a long wait for the first picture, but not a short one', () => {
    const meter = createStallMeter();
    // Where someone left off, or at a moment.
    meter.seek();
    meter.wait(0);
    expect(meter.isTooSlow(1000)).toBe(false);
    expect(meter.isTooSlow(3000)).toBe(true);
    meter.play();
    meter.wait(4000);
    expect(meter.isTooSlow(4000)).toBe(false);
  });

  it('doesn’t count waiting after a seek, or while the video is paused', () => {
    const meter = playing();
    for (const at of [1000, 2000, 3000]) {
      meter.seek();
      meter.wait(at);
    }
    expect(meter.isTooSlow(9000)).toBe(false);
    meter.play();
    meter.wait(10_000);
    meter.pause();
    expect(meter.isTooSlow(20_000)).toBe(false);
  });

  it('starts over with another file', () => {
    const meter = playing();
    for (const at of [1000, 2000]) {
      meter.wait(at);
      meter.play();
    }
    expect(meter.isTooSlow(2000)).toBe(true);
    meter.load();
    expect(meter.isTooSlow(2000)).toBe(false);
  });
});
