import type { ToneMap } from './color';

/**
 * Points along each edge of the table. The picture is interpolated between them: 33 differ from 65 by less than one of 255.
 */
const POINTS = 33;

/** The brightness of white paper in HDR, in cd/m² (ITU-R BT.2408, 2.1). It becomes a video's white. */
const REFERENCE_WHITE = 203;
/** The brightest that phones record, in cd/m². What's brighter is cut off. */
const PEAK = 1000;
/** Full scale of 10 bits as ffmpeg's scaler writes it, which is that of eight bits times four. */
const FULL_SCALE = 1020 / 1023;

/** HLG (ITU-R BT.2100, table 5) to light on a screen of 1000 cd/m², with its gamma of 1.2 for each color, as zimg does it. */
function fromHlg(value: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  const scene = value <= 0.5 ? (value * value) / 3 : (Math.exp((value - c) / a) + b) / 12;
  return scene ** 1.2 * PEAK;
}

/** PQ (SMPTE ST 2084) to light, in cd/m². */
function fromPq(value: number): number {
  const [m1, m2] = [2610 / 16_384, (2523 / 4096) * 128];
  const [c1, c2, c3] = [3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
  const power = value ** (1 / m2);
  return 10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
}

/** To and from light on an ordinary screen (ITU-R BT.1886), relative to white. */
const fromVideo = (value: number): number => value ** 2.4;
const toVideo = (light: number): number => Math.min(1, Math.max(0, light)) ** (1 / 2.4);

/** From the primaries of BT.2020 to those of BT.709 (ITU-R BT.2087, 2.1, inverted). */
const TO_BT709 = [
  [1.660491, -0.587641, -0.07285],
  [-0.12455, 1.1329, -0.008349],
  [-0.018151, -0.100579, 1.11873],
] as const;

/** Where highlights start to be compressed, relative to white. What's darker stays as it is. */
const KNEE = 0.3;

/** Mobius, as ffmpeg's `tonemap` defines it: skin and rooms keep their brightness, and windows are compressed into white. */
function compress(light: number, peak: number): number {
  if (light <= KNEE) return light;
  const a = (-KNEE * KNEE * (peak - 1)) / (KNEE * KNEE - 2 * KNEE + peak);
  const b = (KNEE * KNEE - 2 * KNEE * peak + peak) / (peak - 1);
  return (((b * b + 2 * b * KNEE + KNEE * KNEE) / (b - a)) * (light + a)) / (light + b);
}

const LIGHT: Record<ToneMap, (value: number) => number> = {
  hlg: (value) => fromHlg(value) / REFERENCE_WHITE,
  pq: (value) => fromPq(value) / REFERENCE_WHITE,
  bt2020: fromVideo,
};

/** Returns what a color in BT.2020 becomes in BT.709. Both are red, green, and blue, as coded, from 0 to 1. */
export function toneMapped(kind: ToneMap, color: readonly number[]): number[] {
  const peak = PEAK / REFERENCE_WHITE;
  const light = color.map((value) => LIGHT[kind](value));
  const brightest = Math.max(...light, 1e-6);
  // One factor for all three keeps the hue.
  const factor = kind === 'bt2020' ? 1 : compress(Math.min(brightest, peak), peak) / brightest;
  return TO_BT709.map(([red, green, blue]) => {
    const [r = 0, g = 0, b = 0] = light;
    return toVideo((red * r + green * g + blue * b) * factor);
  });
}

/** Returns a table for ffmpeg's `lut3d` in the Cube format (Adobe, version 1.0): red changes fastest. About 1 MB. */
export function toneMapTable(kind: ToneMap): string {
  const values = Array.from({ length: POINTS }, (_, index) => Math.min(1, index / (POINTS - 1) / FULL_SCALE));
  const rows = values.flatMap((blue) =>
    values.flatMap((green) =>
      values.map((red) =>
        toneMapped(kind, [red, green, blue])
          .map((value) => value.toFixed(6))
          .join(' '),
      ),
    ),
  );
  return `LUT_3D_SIZE ${POINTS}\n${rows.join('\n')}\n`;
}
