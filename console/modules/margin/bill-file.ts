/** The file of an upstream's bill: its text in whatever encoding it comes, or why it is none that can be read. */
import { amountIn, dayIn } from './bill-cells.js'
import { type BillFile, readBill } from './bill-lines.js'

/** More than any month of a bill by day, model and key. */
const bytesMax = 20 * 1024 * 1024

export type BillFileFault = 'tooLarge' | 'noText' | 'empty' | 'oneColumn' | 'noHeads'

/** The file, or the key of the text that says why there is none. */
export function billIn(bytes: Uint8Array): BillFile | BillFileFault {
  if (bytes.length > bytesMax) return 'tooLarge'
  const text = textIn(bytes)
  if (text === undefined) return 'noText'
  const file = readBill(text)
  if (file.heads.length === 0) return 'empty'
  if (file.heads.length === 1) return 'oneColumn'
  return isLine(file.heads) ? 'noHeads' : file
}

export function isTooLarge({ size }: { readonly size: number }): boolean {
  return size > bytesMax
}

/** Spreadsheets write UTF-8, UTF-16 with a mark at its beginning, or what Windows used before. */
function textIn(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // Spreadsheets of their own kind, PDF and pictures.
  if (bytes.includes(0) || startsWith(bytes, 'PK') || startsWith(bytes, '%PDF')) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((letter, at) => bytes[at] === letter.charCodeAt(0))
}

/** The first row holds a day and an amount already. */
function isLine(cells: readonly string[]): boolean {
  const isDay = (cell: string) => dayIn(cell) !== undefined
  return cells.some(isDay) && cells.some((cell) => !isDay(cell) && amountIn(cell) !== undefined)
}
