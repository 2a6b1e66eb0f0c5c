/** Some browsers read the text only after the click was handled. */
const keptMs = 1_000

/** Hands a text or bytes over as a file; `type` is its media type. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
