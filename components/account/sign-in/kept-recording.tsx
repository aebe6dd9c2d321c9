'use client';

import { lazyPart } from '@/components/ui/load-code';

/** Shows a recording that was made before signing up. Apart, since most people sign up without one. */
export const KeptRecording = lazyPart(() => import('./kept-recording-aside'), 'KeptRecordingAside');
