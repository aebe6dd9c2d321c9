import type { ReactNode } from 'react';

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <div className="gutter mx-auto flex w-full max-w-[540px] flex-col lg:has-[aside]:max-w-[1040px] py-8 sm:py-14">
      <div className="flex flex-col gap-6 sm:rounded-18 sm:border sm:border-line sm:bg-surface sm:p-9">
        {children}
      </div>
    </div>
  );
}
