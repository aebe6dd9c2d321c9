import type { StudioState } from '@/components/capture/recorder/recorder-state';
import preview from './preview.module.css';
import question from './question.module.css';
import recording from './recording.module.css';
import review from './review.module.css';

/** The studio's one tree is laid out in three ways, each with the same class names. */
type Layout = Readonly<Record<string, string>>;

/** Labels beside an icon, which only screen readers get where there's little space. */
const LABELS = {
  label: 'max-sm:sr-only [@media(max-height:500px)]:sr-only',
  switchLabel: 'max-sm:sr-only [@media(max-height:500px)]:sr-only',
  questionLabel: 'max-[960px]:sr-only [@media(max-height:500px)]:sr-only',
};

/** Before recording, while recording, and once there's a video to look at. */
export const LAYOUTS: Record<'preview' | 'recording' | 'review', Layout> = {
  preview: { ...preview, ...question, ...LABELS },
  recording: { ...recording, label: 'max-sm:sr-only', switchLabel: 'max-[1120px]:sr-only' },
  review,
};

/** Returns the layout for what the studio is doing. */
export function layoutOf({ camera, file }: StudioState): keyof typeof LAYOUTS {
  if (file || camera.phase === 'recorded') return 'review';
  return camera.phase === 'idle' || camera.phase === 'asking' ? 'preview' : 'recording';
}
