/**
 * Gets a recording while it is made: every slice, in order, at the moment it is recorded, beside the copy on this
 * device. It never throws into the recorder; what goes wrong in it is its own affair.
 */
export interface RecordingSink {
  /**
   * The recorder has started.
   * @param recordingId the copy on this device, null when none can be kept
   * @param mimeType the recorder's media type with its codecs
   */
  begin(recordingId: string | null, mimeType: string): void;
  write(slice: Blob): void;
  /** The recorder has stopped, and the last slice was written. */
  end(): void;
}
