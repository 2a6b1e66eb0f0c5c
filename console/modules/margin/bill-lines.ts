/** Lines of an upstream's bill, read in the browser: which column is what, and what each line says. */
import Papa from 'papaparse'
import { amountIn, dayIn, hasDecimalComma, isDollars, modelIn } from './bill-cells.js'

interface BillRow {
  /** Of the file, counted from 1: where the row begins. */
  readonly line: number
  readonly cells: readonly string[]
  readonly torn: boolean
}

export interface BillFile {
  readonly heads: readonly string[]
  readonly rows: readonly BillRow[]
}

export interface BillColumns {
  readonly day: string
  readonly model: string
  readonly amount: string
}

/** Billionths of a US dollar by `day model`, and lines that cannot be read. */
export interface BillLines {
  readonly amounts: ReadonlyMap<string, bigint>
  /** Numbers of lines of the file, counted from 1. */
  readonly bad: readonly number[]
  /** What is wrong with them. */
  readonly faults: ReadonlyMap<LineFault, number>
}

type LineFault = 'quotes' | 'day' | 'comma' | 'amount' | 'currency'

export function readBill(text: string): BillFile {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''))
  // A quotation mark that is never closed takes all that follows into one cell.
  const torn = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' ? [row] : [])))
  let line = 1
  const rows = data.map((cells, at) => {
    const row = { line, cells, torn: torn.has(at) }
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
    return row
  })
  const [heads, ...others] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return { heads: heads?.cells.map((head) => head.trim()) ?? [], rows: others }
}

/** Names of the usual exports, the most telling first. */
const usual: Readonly<Record<keyof BillColumns, readonly RegExp[]>> = {
  day: [/^(usage_)?date(_utc)?$/i, /start_time_iso/i, /start_time/i, /date|day|time|日期/i],
  model: [/^model(_version|_name|_id)?$/i, /model|模型/i, /line_item|sku|service|description/i],
  amount: [/^amount_value$/i, /^cost(_usd)?$/i, /amount|cost|price|total|charge|费用|金额/i],
}

/** What could not be recognised is empty. */
export function columnsOf({ heads }: BillFile): BillColumns {
  const found = (part: keyof BillColumns) =>
    usual[part].map((name) => heads.find((head) => name.test(head))).find(Boolean) ?? ''
  return { day: found('day'), model: found('model'), amount: found('amount') }
}

export function linesOf({ heads, rows }: BillFile, columns: BillColumns): BillLines {
  const at = (name: string) => heads.indexOf(name)
  const [day, model, amount] = [at(columns.day), at(columns.model), at(columns.amount)]
  const currency = heads.findIndex((head) => /currency|币种/i.test(head))
  const amounts = new Map<string, bigint>()
  const bad: number[] = []
  const faults = new Map<LineFault, number>()
  for (const { line, cells, torn } of rows) {
    const cell = (index: number) => cells[index] ?? ''
    // Days on which nothing was used are listed as well.
    if (!torn && cell(amount).trim() === '' && cell(model).trim() === '') continue
    const date = dayIn(cell(day))
    const value = amountIn(cell(amount))
    const fault = torn ? 'quotes' : faultOf(date, value, cell(amount), cell(currency))
    if (fault === undefined) {
      const key = `${date} ${modelIn(cell(model))}`
      amounts.set(key, (amounts.get(key) ?? 0n) + (value ?? 0n))
      continue
    }
    bad.push(line)
    faults.set(fault, (faults.get(fault) ?? 0) + 1)
  }
  return { amounts, bad, faults }
}

function faultOf(
  date: string | undefined,
  value: bigint | undefined,
  amount: string,
  currency: string,
): LineFault | undefined {
  if (date === undefined) return 'day'
  if (value === undefined) return hasDecimalComma(amount) ? 'comma' : 'amount'
  return isDollars(currency) ? undefined : 'currency'
}

export interface Compared {
  readonly day: string
  readonly model: string
  readonly ours: bigint
  readonly theirs: bigint
}

/** The greatest difference first. */
export function compared(
  ours: readonly { readonly day: string; readonly model: string; readonly cost: number | string }[],
  { amounts }: BillLines,
): readonly Compared[] {
  const costs = new Map(ours.map(({ day, model, cost }) => [`${day} ${model}`, BigInt(cost)]))
  const keys = [...new Set([...costs.keys(), ...amounts.keys()])]
  const rows = keys.map((key) => ({
    day: key.slice(0, 10),
    model: key.slice(11),
    ours: costs.get(key) ?? 0n,
    theirs: amounts.get(key) ?? 0n,
  }))
  const size = ({ ours, theirs }: Compared) => (theirs > ours ? theirs - ours : ours - theirs)
  return rows.sort((one, other) => {
    const difference = size(other) - size(one)
    return difference > 0n ? 1 : difference < 0n ? -1 : one.day.localeCompare(other.day)
  })
}
