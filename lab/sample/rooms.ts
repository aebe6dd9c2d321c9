/** A place behind a person. Everything in it is out of focus. */
interface Room {
  /** SVG elements on a drawing of 976 × 549. */
  shapes: string;
  /** Where its light comes from. */
  light: 'left' | 'right';
}

const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const circle = (cx: number, cy: number, r: number, fill: string, more = '') =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}" ${more}/>`;
const wall = (fill: string) => rect(-40, -40, 1056, 629, fill);

/** Rooms by name. Edges are blurred by `roomOf`. */
const ROOMS = {
  lamp: {
    light: 'right',
    shapes: `${wall('#5a3a30')}${circle(800, 180, 280, '#8a5539')}${circle(800, 180, 172, '#c38148')}
      ${rect(560, 386, 460, 200, '#40261e')}${rect(790, 200, 14, 200, '#4a2c22')}
      <path d="M752,78 L848,78 L878,218 L722,218Z" fill="#ffe2a6"/>${rect(84, 108, 172, 206, '#7b5847')}`,
  },
  morning: {
    light: 'left',
    shapes: `${wall('#b8a286')}${rect(-30, -30, 372, 458, '#fdf1d2')}${rect(-30, -30, 172, 430, '#fffaea')}
      ${rect(706, 66, 212, 160, '#a28d70', 'rx="8"')}${rect(736, 90, 152, 112, '#cbb795')}
      <ellipse cx="930" cy="400" rx="74" ry="170" fill="#718a56"/><ellipse cx="868" cy="480" rx="110" ry="150" fill="#5b6d47"/>`,
  },
  shelf: {
    light: 'right',
    shapes: `${wall('#dce0d0')}${rect(-40, 152, 1056, 24, '#a58f76')}${rect(-40, 176, 1056, 216, '#c8d0be')}
      ${rect(-40, 392, 1056, 200, '#a29276')}${circle(112, 108, 46, '#b8573c')}${rect(204, 46, 70, 106, '#f1e4c3')}
      ${rect(296, 74, 48, 78, '#5b7a80')}${rect(716, 40, 76, 112, '#e6c98f')}${circle(856, 112, 38, '#6f8a6b')}`,
  },
  studio: {
    light: 'left',
    shapes: `${wall('#94a29e')}${rect(580, -40, 440, 640, '#7f8e8b')}${rect(672, -40, 24, 640, '#697876')}
      ${rect(690, 124, 330, 26, '#66736f')}${rect(40, 56, 284, 196, '#dfe5e0')}${rect(80, 92, 120, 14, '#b9c3be')}
      ${rect(80, 130, 190, 14, '#b9c3be')}${rect(80, 168, 160, 14, '#b9c3be')}${rect(734, 44, 34, 80, '#b96c4c')}
      ${rect(776, 32, 36, 92, '#d4c095')}${rect(820, 56, 30, 68, '#41635f')}`,
  },
  night: {
    light: 'right',
    shapes: `${wall('#1d2638')}${rect(430, -40, 600, 470, '#2a3b60')}${rect(690, -40, 20, 470, '#18202f')}
      ${circle(560, 130, 34, '#c99b58', 'opacity=".8"')}${circle(780, 90, 26, '#e8c27a', 'opacity=".85"')}
      ${circle(850, 190, 38, '#d9b26a', 'opacity=".7"')}${circle(630, 250, 22, '#7f93c2', 'opacity=".8"')}
      ${circle(920, 120, 20, '#f1d9a0', 'opacity=".8"')}${circle(90, 420, 128, '#6e4636')}`,
  },
  garden: {
    light: 'right',
    shapes: `${wall('#cfdcae')}${circle(80, 130, 190, '#6d9457')}${circle(330, 60, 120, '#9fbd7c')}
      ${circle(640, 90, 150, '#85aa66')}${circle(930, 200, 210, '#547d49')}${rect(-40, 400, 1056, 200, '#88a75f')}
      ${circle(150, 440, 26, '#d98a5b')}${circle(220, 470, 18, '#e8b06a')}${circle(800, 460, 24, '#cf6f5a')}`,
  },
  snow: {
    light: 'left',
    shapes: `${wall('#e4eaec')}${rect(-40, 250, 1056, 230, '#cfd8dc')}${rect(-40, 440, 1056, 160, '#f3f6f6')}
      ${rect(110, -40, 46, 520, '#9aa9ad')}${rect(842, -40, 66, 520, '#667879')}${rect(700, -40, 26, 480, '#b4c0c3')}`,
  },
  bedroom: {
    light: 'left',
    shapes: `${wall('#c79a86')}${rect(-40, 330, 1056, 270, '#8a5f55')}${rect(60, 40, 210, 260, '#f7ddb9')}
      ${rect(156, 40, 16, 260, '#b98b74')}${rect(640, 300, 400, 190, '#e9d3c2', 'rx="60"')}
      ${rect(690, 90, 110, 140, '#a97665')}${rect(826, 110, 90, 110, '#dcb59d')}`,
  },
  rain: {
    light: 'right',
    shapes: `${wall('#4a5d73')}${rect(520, -40, 470, 450, '#a9bdcb')}${rect(730, -40, 22, 450, '#5b6f83')}
      ${rect(-40, 400, 1056, 200, '#37475a')}${rect(50, 150, 150, 170, '#2f4150')}${rect(80, 180, 30, 110, '#a8694a')}
      ${rect(120, 196, 26, 94, '#c9a86a')}`,
  },
} satisfies Record<string, Room>;

/** A room's name. */
export type RoomName = keyof typeof ROOMS;

/** Returns from where a room's light comes. */
export const lightOf = (name: RoomName): 'left' | 'right' => ROOMS[name].light;

/** Draws a room as SVG elements on a drawing of 976 × 549. */
export const roomOf = (name: RoomName): string =>
  `<defs><filter id="far" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="13"/></filter></defs>
   <g filter="url(#far)">${ROOMS[name].shapes}</g>`;
