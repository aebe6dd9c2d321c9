/** Where other apps send the videos that somebody shares to Daylight. The service worker answers, and stores them. */
export const SHARE_PATH = '/share';

/** Where somebody is led if no service worker took what they shared. The studio says so, and asks for the file. */
export const SHARE_MISSED = '/upload?shared=missing';
