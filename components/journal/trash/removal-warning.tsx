/** Says what moving entries to the trash deletes from it forever. Shows nothing if that's nothing. */
export function RemovalWarning({ notice }: { notice: string }) {
  return (
    <p role="alert" className="mb-5 text-15 text-pretty text-danger empty:hidden">
      {notice}
    </p>
  );
}
