/**
 * What file inputs take: what the browser knows as a video, and every extension of `VIDEO_TYPES`, since browsers don't know
 * most of them. Written out, because the page needs it before it needs the types.
 */
export const VIDEO_ACCEPT =
  'video/*,.mp4,.m4v,.mov,.qt,.webm,.mkv,.avi,.flv,.mpg,.mpeg,.vob,.ogv,.3gp,.3g2,.ts,.mts,.m2ts,.wmv,.asf';
