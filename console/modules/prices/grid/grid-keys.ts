/** Keys and pasting in the sheet. Each cell is an input whose `data-cell` is row and column, as `3.0`. */

/** Up and down, and Enter down: the cell above or below gets the focus. */
export function moved(sheet: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key]
  const here = placeOf(event.target)
  if (step === undefined || here === undefined) return
  event.preventDefault()
  const next = inputAt(sheet, here.row + step, here.column)
  // What was typed is handed on when the cell loses the focus.
  if (next === undefined) (event.target as HTMLInputElement).blur()
  else {
    next.focus()
    next.select()
  }
}

/** Rows and columns of a spreadsheet, laid over the cells from this one on. One value is left to the browser. */
export function pasted(sheet: HTMLElement, event: ClipboardEvent): void {
  const here = placeOf(event.target)
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (here === undefined || (lines.length === 1 && !text.includes('\t'))) return
  event.preventDefault()
  for (const [row, line] of lines.entries()) {
    for (const [column, value] of line.split('\t').entries()) {
      const input = inputAt(sheet, here.row + row, here.column + column)
      if (input === undefined) continue
      input.value = value.trim()
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

function placeOf(target: EventTarget | null) {
  const place = target instanceof HTMLInputElement ? target.dataset.cell : undefined
  if (place === undefined) return undefined
  const [row = 0, column = 0] = place.split('.').map(Number)
  return { row, column }
}

function inputAt(sheet: HTMLElement, row: number, column: number): HTMLInputElement | undefined {
  return sheet.querySelector<HTMLInputElement>(`[data-cell="${row}.${column}"]`) ?? undefined
}
