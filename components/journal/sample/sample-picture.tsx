import type { ComponentProps } from 'react';
import { SAMPLE_POSTER } from './sample';

/** The picture of the sample entry. It's loaded when it comes near the screen, unless told otherwise. */
export function SamplePicture({
  loading = 'lazy',
  ...rest
}: Pick<ComponentProps<'img'>, 'className' | 'loading' | 'fetchPriority'>) {
  return <img {...rest} src={SAMPLE_POSTER} alt="" width={960} height={540} loading={loading} />;
}
