import type { Elements } from '@/components/ui/elements';

/** The question that an entry answers. @param children what can be done with it */
export function QuestionHeading({ question, children }: { question: string; children?: Elements }) {
  return (
    <div className="flex flex-col">
      <p className="text-15 text-ink-2">You answered:</p>
      <div className="flex items-start gap-2">
        <h2
          dir="auto"
          className="heading min-w-0 py-1 text-[clamp(23px,1rem+1.6vw,30px)] leading-[1.2]! text-balance [overflow-wrap:anywhere]"
        >
          {question}
        </h2>
        {children}
      </div>
    </div>
  );
}
