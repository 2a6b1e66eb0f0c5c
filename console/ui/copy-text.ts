/**
 * Puts a text into the clipboard. Pages that came by plain HTTP from another machine are offered none, so there it is
 * copied as a person would do it; the focus stays where it is, as dialogs want to keep it.
 */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  if (clipboard !== undefined) return clipboard.writeText(text)
  if (!copiedByCommand(text)) throw new DOMException('The text was not copied.')
}

function copiedByCommand(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    // Libraries that listen would put what is selected instead.
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', text)
  }
  const shown = document.createElement('span')
  shown.textContent = text || ' '
  shown.ariaHidden = 'true'
  shown.style.cssText = 'position: fixed; top: 0; opacity: 0; white-space: pre; user-select: text'
  document.body.append(shown)
  const selection = getSelection()
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined
  document.addEventListener('copy', put, { capture: true })
  try {
    selection?.selectAllChildren(shown)
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', put, { capture: true })
    selection?.removeAllRanges()
    if (before !== undefined) selection?.addRange(before)
    shown.remove()
  }
}
