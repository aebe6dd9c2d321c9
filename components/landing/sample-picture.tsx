import { SAMPLE_POSTER } from './try/sample';

/** The picture of the sample entry. */
export function SamplePicture({ className, isFirst = false }: { className: string; isFirst?: boolean }) {
  return (
    // biome-ignore lint/performance/noImgElement: it's one size, and small as it is
    <img
      src={SAMPLE_POSTER}
      alt=""
      width={960}
      height={540}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      className={className}
    />
  );
}
