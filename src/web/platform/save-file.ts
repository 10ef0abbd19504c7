/** Has the browser save what is at an address of this site. The page stays, also when the server refuses. */
export function saveFile(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
