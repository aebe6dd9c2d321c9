import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { DRAWING, type Eyes, headOf, type Mouth, type Person, shouldersOf } from './person';
import { lightOf, type RoomName, roomOf } from './rooms';

/** Who records, and where. */
export interface Scene {
  person: Person;
  room: RoomName;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const WHOLE: Box = { left: 0, top: 0, ...DRAWING };
/** A square around the head with its center in the neck, around which it turns. */
const HEAD: Box = { left: 170, top: 30, width: 600, height: 600 };

let ready: Promise<void> | undefined;

/** Loads the rasterizer once. */
function load(): Promise<void> {
  ready ??= readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')).then(
    initWasm,
  );
  return ready;
}

/** Rasterizes a part of the drawing. @param width of the whole drawing, in pixels @returns a PNG */
async function rasterize(elements: string, box: Box, width: number): Promise<Uint8Array> {
  await load();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.left} ${box.top} ${box.width} ${box.height}">${elements}</svg>`;
  const value = evenPixels(box.width, width);
  const resvg = new Resvg(svg, { fitTo: { mode: 'width', value } });
  const image = resvg.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    resvg.free();
  }
}

const evenPixels = (length: number, width: number) => Math.round((length * width) / DRAWING.width / 2) * 2;

/** Mirrors a person, who's drawn in light from the right, if the room's light comes from the left. */
const lit = ({ room }: Scene, elements: string) =>
  lightOf(room) === 'right'
    ? elements
    : `<g transform="translate(${2 * HEAD.left + HEAD.width},0) scale(-1,1)">${elements}</g>`;

/** Draws a room as a PNG. @param width in pixels */
export const drawRoom = (scene: Scene, width: number) => rasterize(roomOf(scene.room), WHOLE, width);

/** Draws a person's shoulders as a PNG of the whole drawing, transparent around them. @param width in pixels */
export const drawShoulders = (scene: Scene, width: number) =>
  rasterize(lit(scene, shouldersOf(scene.person)), WHOLE, width);

/** Draws a head as a square PNG, transparent around it. @param width of the whole drawing, in pixels */
export const drawHead = (scene: Scene, width: number, face: { mouth: Mouth; eyes: Eyes }) =>
  rasterize(lit(scene, headOf(scene.person, face)), HEAD, width);

/** Returns where in the drawing a head's square goes, in pixels. @param width of the whole drawing */
export function headPlace(width: number): { left: number; top: number } {
  const scale = width / DRAWING.width;
  return { left: Math.round(HEAD.left * scale), top: Math.round(HEAD.top * scale) };
}
