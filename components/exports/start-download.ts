/** Has the browser download an archive, to wherever it puts downloads. */
export function startDownload(exportId: string): void {
  const link = document.createElement('a');
  link.href = `/api/v1/exports/${exportId}/download`;
  // The name comes with the response. Without this, an error would replace the page.
  link.download = '';
  link.click();
}
