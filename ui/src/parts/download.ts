/** Makes the browser save `parts` as a file called `name`, of MIME type `type`. */
export function download(name: string, parts: BlobPart, type: string): void {
  const url = URL.createObjectURL(parts instanceof Blob ? parts : new Blob([parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
