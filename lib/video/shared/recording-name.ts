/** What recordings that are made here are called, without their extension (see the specification). */
export const RECORDING_NAME = 'browser_uploaded';
