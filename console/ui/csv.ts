/** Rows as CSV (RFC 4180) that a spreadsheet shows and never runs. */

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/
const quoted = /[",\r\n]/

export type Cell = string | number

/** With a mark at the start, by which spreadsheets know that it is UTF-8. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const safe = formula.test(cell) ? `'${cell}` : cell
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
