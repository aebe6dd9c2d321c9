/** Seconds between two pictures. Fewer would let the recorder's slices, which end at key frames, grow longer. */
const DRAW_INTERVAL = 0.2;

/** The 720p that's asked of cameras, for a recording that starts without one. */
const [LONG_EDGE, SHORT_EDGE] = [1280, 720];

/** The dark canvas and the accent. */
const BACKGROUND = 'oklch(0.168 0.008 165)';
const BAR = 'oklch(0.795 0.095 165)';
/** Lengths as fractions of the picture's shorter edge, and heights as fractions of the tallest bar. */
const [BAR_WIDTH, BAR_GAP, BAR_HEIGHT] = [0.022, 0.034, 0.24];
const SILENCE = 0.1;
/** How loud each bar's frequencies are, from the middle to the sides. */
const BANDS = [1, 2, 4, 7];

/** Returns whether a track is a drawn picture, and not a camera's. */
export const isDrawn = (track: MediaStreamTrack): boolean => 'canvas' in track;

/** Returns the size of the pictures that a camera would take, held as this device is. */
function cameraSize(): { width: number; height: number } {
  const isUpright = matchMedia('(pointer: coarse) and (orientation: portrait)').matches;
  return isUpright ? { width: SHORT_EDGE, height: LONG_EDGE } : { width: LONG_EDGE, height: SHORT_EDGE };
}

/** Draws the level of a voice, as bars that are the same on both sides. */
function drawLevel(canvas: HTMLCanvasElement, levels: Uint8Array): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = canvas;
  const edge = Math.min(width, height);
  context.fillStyle = BACKGROUND;
  context.fillRect(0, 0, width, height);
  context.fillStyle = BAR;
  for (let place = 1 - BANDS.length; place < BANDS.length; place += 1) {
    const level = (levels[BANDS[Math.abs(place)] ?? 0] ?? 0) / 255;
    // Whole pixels take fewer bytes.
    const [barWidth, barHeight] = [BAR_WIDTH * edge, BAR_HEIGHT * edge * Math.max(SILENCE, level)].map(
      Math.round,
    );
    if (!barWidth || !barHeight) continue;
    const left = Math.round(width / 2 + place * (BAR_WIDTH + BAR_GAP) * edge - barWidth / 2);
    context.beginPath();
    context.roundRect(left, Math.round((height - barHeight) / 2), barWidth, barHeight, barWidth / 2);
    context.fill();
  }
}

/**
 * Returns a video track for a recording without a camera: a still picture with the level of the voice. It ends when it's
 * stopped.
 * @param microphone what's recorded with it
 * @param like the track it takes the place of, whose size it has
 */
export function openDrawnPicture(microphone: MediaStreamTrack, like?: MediaStreamTrack): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  const standard = cameraSize();
  const { width = standard.width, height = standard.height } = like?.getSettings() ?? {};
  Object.assign(canvas, { width, height });
  const audio = new AudioContext();
  const analyser = new AnalyserNode(audio, { fftSize: 64, smoothingTimeConstant: 0.75 });
  audio.createMediaStreamSource(new MediaStream([microphone])).connect(analyser);
  const levels = new Uint8Array(analyser.frequencyBinCount);
  drawLevel(canvas, levels);
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new DOMException('', 'NotSupportedError');

  function draw(): void {
    if (track?.readyState !== 'live') return void audio.close();
    analyser.getByteFrequencyData(levels);
    drawLevel(canvas, levels);
    // Timers of hidden pages run once a minute, and people talk while they look at something else. Audio goes on.
    const clock = new ConstantSourceNode(audio, { offset: 0 });
    clock.onended = draw;
    clock.connect(audio.destination);
    clock.start();
    clock.stop(audio.currentTime + DRAW_INTERVAL);
  }
  draw();
  return track;
}
