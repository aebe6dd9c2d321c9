import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Placement, placeBeside } from './place-beside';

beforeAll(() => {
  vi.stubGlobal('window', { innerHeight: 640 });
  vi.stubGlobal('document', { documentElement: { clientWidth: 320 } });
});
afterAll(() => void vi.unstubAllGlobals());

/** Places a popover of a size, in pixels, beside a control of 44 by 44. */
function place([width, height]: [number, number], [left, top]: [number, number], placement?: Placement) {
  const popover = { offsetWidth: width, offsetHeight: height, style: { inset: '' } };
  const control = { getBoundingClientRect: () => ({ left, top, right: left + 44, bottom: top + 44 }) };
  const side = placeBeside(popover as never, control as never, placement);
  const [y, , , x] = popover.style.inset.split(' ').map(Number.parseFloat);
  return { side, left: x, top: y };
}

it('is below the control, and ends with it', () => {
  expect(place([200, 100], [250, 10])).toEqual({ side: 'below', left: 94, top: 62 });
  expect(place([200, 100], [20, 10], { edge: 'left' })).toEqual({ side: 'below', left: 20, top: 62 });
});

it('is above the control, if asked or if only there is enough room', () => {
  expect(place([200, 100], [250, 300], { side: 'above' })).toEqual({ side: 'above', left: 94, top: 192 });
  expect(place([200, 100], [250, 590])).toMatchObject({ side: 'above', top: 482 });
  expect(place([200, 100], [250, 50], { side: 'above' })).toMatchObject({ side: 'below', top: 102 });
});

it.each([
  [
    [304, 100],
    [0, 10],
  ],
  [
    [304, 100],
    [276, 10],
  ],
  [
    [304, 600],
    [138, 300],
  ],
  [
    [304, 100],
    [138, 900],
  ],
  [
    [304, 100],
    [138, -300],
  ],
] as [[number, number], [number, number]][])('stays in a window of 320 pixels: %j at %j', (size, at) => {
  for (const edge of ['left', 'right'] as const) {
    const { left = 0, top = 0 } = place(size, at, { edge });
    expect(left).toBe(8);
    expect(top).toBeGreaterThanOrEqual(8);
    expect(top + size[1]).toBeLessThanOrEqual(632);
  }
});
