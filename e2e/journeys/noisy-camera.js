// A camera whose picture is noise, and a recorder that keeps it: some megabytes a second.
// Plain JavaScript for addInitScript, as tests and the bench give it to the page.
{
  const Recorder = window.MediaRecorder;
  window.MediaRecorder = class extends Recorder {
    constructor(stream, options) {
      super(stream, { ...options, videoBitsPerSecond: 30_000_000 });
    }
  };
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const context = canvas.getContext('2d');
    const image = context.createImageData(640, 480);
    const pixels = new Uint32Array(image.data.buffer);
    let seed = 1;
    const draw = () => {
      for (let at = 0; at < pixels.length; at += 1) {
        seed = (seed * 1664525 + 1013904223) >>> 0;
        pixels[at] = seed | 0xff000000;
      }
      context.putImageData(image, 0, 0);
    };
    draw();
    const timer = setInterval(draw, 100);
    const [noise] = canvas.captureStream(10).getVideoTracks();
    const [camera] = stream.getVideoTracks();
    const stop = noise.stop.bind(noise);
    noise.stop = () => {
      clearInterval(timer);
      camera.stop();
      stop();
    };
    return new MediaStream([noise, ...stream.getAudioTracks()]);
  };
}
